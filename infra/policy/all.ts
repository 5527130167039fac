import { awsPolicies, dataPolicies } from './aws.ts'
import { bindingPolicies, databasePolicies, hostPolicies, scriptPolicies } from './cloudflare.ts'
import type { StackPolicy } from './policy.ts'

export const policies: readonly StackPolicy[] = [
  ...hostPolicies,
  ...scriptPolicies,
  ...bindingPolicies,
  ...databasePolicies,
  ...dataPolicies,
  ...awsPolicies,
]
