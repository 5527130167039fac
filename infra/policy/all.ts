import { awsPolicies, dataPolicies } from './aws.ts'
import { bindingPolicies, databasePolicies, hostPolicies, scriptPolicies } from './cloudflare.ts'
import type { Policy } from './policy.ts'

export const policies: readonly Policy[] = [
  ...hostPolicies,
  ...scriptPolicies,
  ...bindingPolicies,
  ...databasePolicies,
  ...dataPolicies,
  ...awsPolicies,
]
