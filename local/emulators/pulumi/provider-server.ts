import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import grpc from '@grpc/grpc-js'
import pluginPb from '@pulumi/pulumi/proto/plugin_pb.js'
import providerGrpc from '@pulumi/pulumi/proto/provider_grpc_pb.js'
import providerPb from '@pulumi/pulumi/proto/provider_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import struct from 'google-protobuf/google/protobuf/struct_pb.js'
import { toErrorMessage, UserError } from '../../lib/user-error.ts'
import type { Properties } from './values.ts'

/** A resource with its declared inputs. */
export interface DeclaredInputs {
  urn: string
  /** Empty until the resource is created. */
  id: string
  type: string
  name: string
  inputs: Properties
}

/** The calls of a Pulumi provider that read or change resources. An error fails the update. */
export interface ResourceProvider {
  create(declared: DeclaredInputs): Promise<{ id: string; outputs: Properties }>
  /** Returns undefined when the resource no longer exists. */
  read(declared: DeclaredInputs): { inputs: Properties; outputs: Properties } | undefined
  /** Returns the new outputs. */
  update(declared: DeclaredInputs): Promise<Properties>
  delete(declared: DeclaredInputs): Promise<void>
  /** Returns the result of a data source; undefined when the data source is not supported. */
  invoke(token: string): Properties | undefined
}

export interface Providers {
  /** Value of PULUMI_DEBUG_PROVIDERS, `aws:<port>,…`; the CLI then uses these providers, not plugins. */
  debugProviders: string
  stop(): void
}

/** Serves Pulumi providers on loopback, each on its own port; both records have the package name as key. */
export async function serveProviders(
  providers: Readonly<Record<string, ResourceProvider>>,
  ports: Readonly<Record<string, number>> = {},
): Promise<Providers> {
  const served = await Promise.all(
    Object.entries(providers).map(async ([name, provider]) => {
      // Inputs can contain the archive of a function.
      const server = new grpc.Server({ 'grpc.max_receive_message_length': -1 })
      server.addService(providerGrpc.ResourceProviderService, toService(name, provider))
      const bind = promisify(server.bindAsync.bind(server))
      const insecure = grpc.ServerCredentials.createInsecure()
      const port = await bind(`127.0.0.1:${ports[name] ?? 0}`, insecure)
      return { debugProvider: `${name}:${port}`, stop: () => server.forceShutdown() }
    }),
  )
  return {
    debugProviders: served.map(({ debugProvider }) => debugProvider).join(','),
    stop() {
      for (const { stop } of served) stop()
    },
  }
}

function toService(name: string, provider: ResourceProvider): grpc.UntypedServiceImplementation {
  const { version } = createRequire(import.meta.url)(`@pulumi/${name}/package.json`)
  return {
    getPluginInfo: toHandler(() => new pluginPb.PluginInfo().setVersion(version)),
    attach: toHandler(() => new empty.Empty()),
    cancel: toHandler(() => new empty.Empty()),
    getSchema: toHandler(() => new providerPb.GetSchemaResponse().setSchema('{}')),
    configure: toHandler(() => new providerPb.ConfigureResponse()),
    check: toHandler((request: providerPb.CheckRequest) =>
      new providerPb.CheckResponse().setInputs(request.getNews()),
    ),
    // DIFF_UNKNOWN makes the engine compare the old inputs with the new ones.
    diff: toHandler(() =>
      new providerPb.DiffResponse().setChanges(providerPb.DiffResponse.DiffChanges.DIFF_UNKNOWN),
    ),
    create: toHandler(async (request: providerPb.CreateRequest) => {
      const declared = toDeclared(request.getUrn(), '', request.getProperties())
      const { id, outputs } = await provider.create(declared)
      const properties = toStruct({ ...declared.inputs, ...outputs })
      return new providerPb.CreateResponse().setId(id).setProperties(properties)
    }),
    read: toHandler((request: providerPb.ReadRequest) => {
      const declared = toDeclared(request.getUrn(), request.getId(), request.getInputs())
      const found = provider.read(declared)
      const response = new providerPb.ReadResponse()
      if (found === undefined) return response
      const properties = toStruct({ ...found.inputs, ...found.outputs })
      return response.setId(declared.id).setInputs(toStruct(found.inputs)).setProperties(properties)
    }),
    update: toHandler(async (request: providerPb.UpdateRequest) => {
      const declared = toDeclared(request.getUrn(), request.getId(), request.getNews())
      const outputs = await provider.update(declared)
      const properties = toStruct({ ...declared.inputs, ...outputs })
      return new providerPb.UpdateResponse().setProperties(properties)
    }),
    delete: toHandler(async (request: providerPb.DeleteRequest) => {
      await provider.delete(toDeclared(request.getUrn(), request.getId(), request.getProperties()))
      return new empty.Empty()
    }),
    invoke: toHandler((request: providerPb.InvokeRequest) => {
      const result = provider.invoke(request.getTok())
      if (result) return new providerPb.InvokeResponse().setReturn(toStruct(result))
      throw new UserError(`The local ${name} does not support the data source ${request.getTok()}.`)
    }),
  }
}

function toHandler<Request, Response>(handle: (request: Request) => Response | Promise<Response>) {
  return async (
    call: grpc.ServerUnaryCall<Request, Response>,
    callback: grpc.sendUnaryData<Response>,
  ) => {
    try {
      callback(null, await handle(call.request))
    } catch (error) {
      callback({ code: grpc.status.INVALID_ARGUMENT, details: toErrorMessage(error) })
    }
  }
}

function toDeclared(urn: string, id: string, inputs: struct.Struct | undefined): DeclaredInputs {
  const [, , path = '', name = ''] = urn.split('::')
  const type = path.split('$').at(-1) ?? ''
  return { urn, id, type, name, inputs: (inputs?.toJavaScript() ?? {}) as Properties }
}

function toStruct(properties: Properties): struct.Struct {
  return struct.Struct.fromJavaScript(properties)
}
