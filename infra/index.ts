import * as pulumi from '@pulumi/pulumi'
import { parseMediaConfig, parseSiteConfig, readRawConfig } from './config.ts'
import { findEnvironment, stacks } from './environments.ts'
import { declareMediaStack, declareSiteStack } from './stack.ts'

const stack = pulumi.getStack()
const environment = findEnvironment(stack)
if (environment === undefined) {
  throw new pulumi.RunError(
    `Stack "${stack}" is not in infra/environments.ts. Choose one with --stack: ${stacks.join(', ')}.`,
  )
}
const raw = readRawConfig()

export default environment.worker === 'site'
  ? declareSiteStack(environment, parseSiteConfig(environment, raw))
  : declareMediaStack(environment, parseMediaConfig(raw))
