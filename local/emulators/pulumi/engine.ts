import { promisify } from 'node:util'
import grpc from '@grpc/grpc-js'
import engineGrpc from '@pulumi/pulumi/proto/engine_grpc_pb.js'
import enginePb from '@pulumi/pulumi/proto/engine_pb.js'
import resourceGrpc from '@pulumi/pulumi/proto/resource_grpc_pb.js'
import resourcePb from '@pulumi/pulumi/proto/resource_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import struct from 'google-protobuf/google/protobuf/struct_pb.js'
import { toErrorMessage, UserError } from '../../lib/user-error.ts'
import type { Resource, StackOutputs } from './captured-stack.ts'
import { computeOutputs, readDataSource } from './computed-outputs.ts'
import { toOptions } from './resource-options.ts'
import type { StubContext } from './stub-context.ts'
import { isSecret, type Properties, unwrapProperties, wrapSecret } from './values.ts'

const STACK_TYPE = 'pulumi:pulumi:Stack'
const STACK_REFERENCE = 'pulumi:pulumi:StackReference'
const FEATURES = new Set(['secrets', 'deletedWith', 'replaceWith', 'aliasSpecs'])

interface EngineDeps {
  project: string
  stack: string
  preview: boolean
  stubContext: StubContext
  /** Returns the outputs of a stack that the program refers to. */
  findOutputs(stack: string): Promise<StackOutputs>
}

export interface Engine {
  /** Host and port of the gRPC services. */
  address: string
  resources: Resource[]
  outputs: StackOutputs
  /** Log messages of the program above debug level. */
  messages: string[]
  /** Error messages; the first one is the cause of the others. */
  errors: string[]
  stop(): void
}

/** Serves the engine's gRPC services to a Pulumi program and collects the resources that it declares. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const server = new grpc.Server()
  const collected = {
    resources: [],
    outputs: { values: {}, secrets: [] },
    messages: [],
    errors: [],
  }
  const engine: Engine = { ...collected, address: '', stop: () => server.forceShutdown() }
  server.addService(resourceGrpc.ResourceMonitorService, toMonitor(engine, deps))
  server.addService(engineGrpc.EngineService, toEngineService(engine))
  const bind = promisify(server.bindAsync.bind(server))
  const port = await bind('127.0.0.1:0', grpc.ServerCredentials.createInsecure())
  return Object.assign(engine, { address: `127.0.0.1:${port}` })
}

function toMonitor(engine: Engine, deps: EngineDeps): grpc.UntypedServiceImplementation {
  return {
    supportsFeature: toHandler(engine, (request: resourcePb.SupportsFeatureRequest) => {
      const response = new resourcePb.SupportsFeatureResponse()
      response.setHassupport(FEATURES.has(request.getId()))
      return response
    }),
    registerResource: toHandler(engine, (request: resourcePb.RegisterResourceRequest) =>
      registerResource(engine, deps, request),
    ),
    registerResourceOutputs: toHandler(
      engine,
      (request: resourcePb.RegisterResourceOutputsRequest) => {
        if (request.getUrn() === toUrn(deps, STACK_TYPE, toStackName(deps))) {
          engine.outputs = toStackOutputs(toProperties(request.getOutputs()))
        }
        return new empty.Empty()
      },
    ),
    readResource: toHandler(engine, (request: resourcePb.ReadResourceRequest) =>
      readResource(deps, request),
    ),
    invoke: toHandler(engine, (request: resourcePb.ResourceInvokeRequest) => {
      const result = readDataSource(request.getTok(), deps.stubContext)
      if (result === undefined) {
        throw new UserError(
          `The local engine does not support the data source ${request.getTok()}.`,
        )
      }
      const response = new resourcePb.ResourceInvokeResponse()
      response.setReturn(toStruct(result))
      return response
    }),
    signalAndWaitForShutdown: toHandler(engine, () => new empty.Empty()),
  }
}

function toEngineService(engine: Engine): grpc.UntypedServiceImplementation {
  let rootUrn = ''
  return {
    log: toHandler(engine, (request: enginePb.LogRequest) => {
      if (request.getSeverity() > enginePb.LogSeverity.DEBUG) {
        engine.messages.push(request.getMessage())
      }
      if (request.getSeverity() === enginePb.LogSeverity.ERROR) {
        engine.errors.push(request.getMessage())
      }
      return new empty.Empty()
    }),
    setRootResource: toHandler(engine, (request: enginePb.SetRootResourceRequest) => {
      rootUrn = request.getUrn()
      return new enginePb.SetRootResourceResponse()
    }),
    getRootResource: toHandler(engine, () => {
      const response = new enginePb.GetRootResourceResponse()
      response.setUrn(rootUrn)
      return response
    }),
  }
}

function registerResource(
  engine: Engine,
  deps: EngineDeps,
  request: resourcePb.RegisterResourceRequest,
): resourcePb.RegisterResourceResponse {
  const [type, name] = [request.getType(), request.getName()]
  const urn = toUrn(deps, type, name, request.getParent())
  const wire = toProperties(request.getObject())
  const secretPaths: string[] = []
  const inputs = unwrapProperties(wire, secretPaths)
  const computed = request.getCustom()
    ? computeOutputs({ urn, type, name, inputs }, deps.stubContext)
    : { id: '', outputs: {} }
  if (computed === undefined) {
    throw new UserError(
      `The local engine does not support the resource type ${type} (of "${name}").`,
    )
  }
  const known = deps.preview ? { id: '', outputs: {} } : computed
  const common = { urn, type, name, parent: request.getParent(), custom: request.getCustom() }
  engine.resources.push({ ...common, ...known, inputs, secretPaths, options: toOptions(request) })

  const response = new resourcePb.RegisterResourceResponse()
  response.setUrn(urn)
  response.setId(known.id)
  const secretNames = request.getAdditionalsecretoutputsList()
  response.setObject(toStruct({ ...wire, ...wrapSecrets(known.outputs, secretNames) }))
  return response
}

async function readResource(
  deps: EngineDeps,
  request: resourcePb.ReadResourceRequest,
): Promise<resourcePb.ReadResourceResponse> {
  const type = request.getType()
  if (type !== STACK_REFERENCE) {
    throw new UserError(`The local engine cannot read the existing ${type} "${request.getId()}".`)
  }
  const { values, secrets } = await deps.findOutputs(request.getId().split('/').at(-1) ?? '')
  const outputs = wrapSecrets(values, secrets)
  const response = new resourcePb.ReadResourceResponse()
  response.setUrn(toUrn(deps, type, request.getName()))
  response.setProperties(toStruct({ name: request.getId(), outputs, secretOutputNames: secrets }))
  return response
}

type Call<Request> = grpc.ServerUnaryCall<Request, unknown>

// An error of a call comes first in `errors`: the program's own message is a consequence of it.
function toHandler<Request, Response>(
  engine: Engine,
  handle: (request: Request) => Response | Promise<Response>,
) {
  return async (call: Call<Request>, callback: grpc.sendUnaryData<Response>) => {
    try {
      callback(null, await handle(call.request))
    } catch (error) {
      engine.errors.unshift(toErrorMessage(error))
      callback({ code: grpc.status.INVALID_ARGUMENT, details: toErrorMessage(error) })
    }
  }
}

function toUrn({ project, stack }: EngineDeps, type: string, name: string, parent = ''): string {
  const parentType = parent.split('::')[2] ?? ''
  const path = parent === '' || parentType === STACK_TYPE ? type : `${parentType}$${type}`
  return `urn:pulumi:${stack}::${project}::${path}::${name}`
}

function toStackName({ project, stack }: EngineDeps): string {
  return `${project}-${stack}`
}

function toStackOutputs(wire: Properties): StackOutputs {
  const secrets = Object.keys(wire).filter((name) => isSecret(wire[name]))
  return { values: unwrapProperties(wire, []), secrets }
}

function wrapSecrets(properties: Properties, names: readonly string[]): Properties {
  const entries = Object.entries(properties).map(([name, value]) => [
    name,
    names.includes(name) ? wrapSecret(value) : value,
  ])
  return Object.fromEntries(entries)
}

function toProperties(message: struct.Struct | undefined): Properties {
  return (message?.toJavaScript() ?? {}) as Properties
}

function toStruct(properties: Properties): struct.Struct {
  return struct.Struct.fromJavaScript(properties)
}
