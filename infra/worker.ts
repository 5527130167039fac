import * as cloudflare from '@pulumi/cloudflare'
import type * as pulumi from '@pulumi/pulumi'
import { COMPATIBILITY_DATE } from '../contract/constants.ts'
import { type DeclaredBinding, toManifest } from './bindings.ts'
import type { Bundle } from './bundle.ts'
import { flatten, type ManifestEntry, ScriptSettings } from './manifest.ts'

export interface WorkerArgs {
  accountId: string
  scriptName: string
  bundle: Bundle
  bindings: DeclaredBinding[]
}

export interface WorkerOutputs {
  accountId: string
  scriptName: pulumi.Output<string>
  settings: ScriptSettings
  contentSha256: string
  bindings: pulumi.Output<ManifestEntry[]>
}

// Settings with Cloudflare's default value are declared too, because the drift check ignores undeclared ones.
const SETTINGS = {
  compatibilityDate: COMPATIBILITY_DATE,
  compatibilityFlags: [],
  cacheOptions: { enabled: false },
  limits: { cpuMs: 2000 },
  // Invocation logs and traces would record query strings, which may contain preview tokens.
  observability: {
    enabled: true,
    headSamplingRate: 1,
    logs: { enabled: true, invocationLogs: false, headSamplingRate: 1 },
    traces: { enabled: false },
  },
}

/** Declares the script of a worker, without a workers.dev address. */
export function declareWorker(args: WorkerArgs): WorkerOutputs {
  const { accountId, scriptName, bundle, bindings } = args
  const script = new cloudflare.WorkersScript('script', {
    accountId,
    scriptName,
    mainModule: 'index.js',
    contentType: 'application/javascript+module',
    contentFile: bundle.file,
    contentSha256: bundle.sha256,
    bindings,
    ...SETTINGS,
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
    settings: ScriptSettings.parse(flatten(SETTINGS)),
    contentSha256: bundle.sha256,
    bindings: toManifest(bindings),
  }
}
