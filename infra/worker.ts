import * as cloudflare from '@pulumi/cloudflare'
import type * as pulumi from '@pulumi/pulumi'
import { COMPATIBILITY_DATE } from '../contract/constants.ts'
import { type Binding, toManifest } from './bindings.ts'
import type { Bundle } from './bundle.ts'
import type { ManifestEntry } from './manifest.ts'

// Not later than the runtime of the local cloud knows; raise it for all workers at once.

export interface WorkerArgs {
  accountId: string
  scriptName: string
  bundle: Bundle
  bindings: Binding[]
}

export interface WorkerOutputs {
  accountId: string
  scriptName: pulumi.Output<string>
  compatibilityDate: string
  contentSha256: string
  bindings: pulumi.Output<ManifestEntry[]>
}

/** The script, out of reach by workers.dev. */
export function declareWorker(args: WorkerArgs): WorkerOutputs {
  const { accountId, scriptName, bundle, bindings } = args
  const script = new cloudflare.WorkersScript('script', {
    accountId,
    scriptName,
    mainModule: 'index.js',
    contentType: 'application/javascript+module',
    contentFile: bundle.file,
    contentSha256: bundle.sha256,
    compatibilityDate: COMPATIBILITY_DATE,
    bindings,
    // Invocation logs and traces would record query strings, preview tokens among them.
    observability: {
      enabled: true,
      headSamplingRate: 1,
      logs: { enabled: true, invocationLogs: false, headSamplingRate: 1 },
      traces: { enabled: false },
    },
    limits: { cpuMs: 2000 },
  })
  new cloudflare.WorkersScriptSubdomain('workers-dev', {
    accountId,
    scriptName: script.scriptName,
    enabled: false,
    previewsEnabled: false,
  })
  return {
    accountId,
    scriptName: script.scriptName,
    compatibilityDate: COMPATIBILITY_DATE,
    contentSha256: bundle.sha256,
    bindings: toManifest(bindings),
  }
}
