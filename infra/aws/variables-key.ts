import * as aws from '@pulumi/aws'

/**
 * A key for variables that hold a password. Its policy is the default one, so IAM decides: a role
 * that may read a function's configuration but not `kms:Decrypt` does not get the variables.
 */
export function declareVariablesKey(): aws.kms.Key {
  return new aws.kms.Key('variables', {
    description: 'Encrypts the variables of the migration function',
    deletionWindowInDays: 7,
  })
}
