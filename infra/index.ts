import * as pulumi from '@pulumi/pulumi'
import { parseMediaConfig, parseSiteConfig, readRawConfig } from './config.ts'
import { environmentOf } from './environments.ts'
import { declareMediaStack, declareSiteStack } from './stack.ts'

const environment = environmentOf(pulumi.getStack())
const raw = readRawConfig()

export default environment.worker === 'site'
  ? declareSiteStack(environment, parseSiteConfig(environment, raw))
  : declareMediaStack(environment, parseMediaConfig(raw))
