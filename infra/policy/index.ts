#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { PolicyPack, type PolicyResource, type ResourceValidationArgs } from '@pulumi/policy'
import { POLICIES } from './all.ts'
import type { CheckedResource, StackPolicy } from './policy.ts'

// The pack reads its version from the package.json in the working directory.
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

new PolicyPack('cms-edge', {
  policies: POLICIES.filter(({ testsOnly }) => testsOnly === undefined).map(
    ({ name, rule, ...check }) => ({
      name,
      description: rule,
      enforcementLevel: 'mandatory',
      ...toValidation(check),
    }),
  ),
})

/**
 * Converts a check to the form of Pulumi's SDK. A violation in one resource stops the update before that
 * resource is changed, a violation by several is reported at the end.
 */
function toValidation({
  checkResource,
  findViolations,
}: Pick<StackPolicy, 'checkResource' | 'findViolations'>) {
  if (checkResource) {
    return {
      validateResource(resource: ResourceValidationArgs, report: (message: string) => void) {
        const message = checkResource(toCheckedResource(resource))
        if (message) report(message)
      },
    }
  }
  return {
    validateStack(
      { resources }: { resources: PolicyResource[] },
      report: (message: string, urn?: string) => void,
    ) {
      for (const { resource, message } of findViolations(resources.map(toCheckedResource))) {
        report(`${resource.name}: ${message}`, resource.urn)
      }
    },
  }
}

function toCheckedResource({
  urn,
  type,
  name,
  props,
  opts,
}: PolicyResource | ResourceValidationArgs): CheckedResource {
  return { urn, type, name, inputs: props, options: opts }
}
