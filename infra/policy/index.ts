#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { PolicyPack, type PolicyResource } from '@pulumi/policy'
import { policies } from './all.ts'

// The pack takes its version from the package.json where it runs.
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

// In plain values nobody can tell a secret: policies about secrets hold their judgement here.
new PolicyPack('cms-edge', {
  policies: policies.map(({ name, rule, violations }) => ({
    name,
    description: rule,
    enforcementLevel: 'mandatory',
    validateStack({ resources }, report) {
      for (const { resource, message } of violations(resources.map(toDeclared))) {
        report(`${resource.name}: ${message}`, resource.urn)
      }
    },
  })),
})

function toDeclared({ urn, type, name, props, opts }: PolicyResource) {
  return { urn, type, name, inputs: props, options: opts }
}
