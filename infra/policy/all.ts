import { AWS_POLICIES, DATA_POLICIES } from './aws.ts'
import {
  BINDING_POLICIES,
  DATABASE_POLICIES,
  HOST_POLICIES,
  SCRIPT_POLICIES,
} from './cloudflare.ts'
import type { StackPolicy } from './policy.ts'

/** All policies of the project. */
export const POLICIES: readonly StackPolicy[] = [
  ...HOST_POLICIES,
  ...SCRIPT_POLICIES,
  ...BINDING_POLICIES,
  ...DATABASE_POLICIES,
  ...DATA_POLICIES,
  ...AWS_POLICIES,
]
