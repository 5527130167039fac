import { awsPolicies, dataPolicies } from './aws.ts'
import { bindingPolicies, hostPolicies, scriptPolicies } from './cloudflare.ts'
import type { Policy } from './policy.ts'

export const policies: readonly Policy[] = [
  ...hostPolicies,
  ...scriptPolicies,
  ...bindingPolicies,
  ...dataPolicies,
  ...awsPolicies,
]
