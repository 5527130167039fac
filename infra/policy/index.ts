#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { PolicyPack, type PolicyResource, type ResourceValidationArgs } from '@pulumi/policy'
import { policies } from './all.ts'
import type { Declared, Policy } from './policy.ts'

// The pack takes its version from the package.json where it runs.
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

new PolicyPack('cms-edge', {
  policies: policies
    .filter(({ testsOnly }) => testsOnly === undefined)
    .map(({ name, rule, ...check }) => ({
      name,
      description: rule,
      enforcementLevel: 'mandatory',
      ...toValidation(check),
    })),
})

/** A resource that is wrong by itself is refused before it is changed, any other after the update. */
function toValidation({ judge, violations }: Pick<Policy, 'judge' | 'violations'>) {
  if (judge) {
    return {
      validateResource(resource: ResourceValidationArgs, report: (message: string) => void) {
        const message = judge(toDeclared(resource))
        if (message) report(message)
      },
    }
  }
  return {
    validateStack(
      { resources }: { resources: PolicyResource[] },
      report: (message: string, urn?: string) => void,
    ) {
      for (const { resource, message } of violations(resources.map(toDeclared))) {
        report(`${resource.name}: ${message}`, resource.urn)
      }
    },
  }
}

function toDeclared({
  urn,
  type,
  name,
  props,
  opts,
}: PolicyResource | ResourceValidationArgs): Declared {
  return { urn, type, name, inputs: props, options: opts }
}
