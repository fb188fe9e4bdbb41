import { Server, type ServiceDefinition, type UntypedServiceImplementation } from "@grpc/grpc-js";
import type { TlsIdentity } from "../certificates/loading.ts";
import { type Admission, roleGate } from "./gate.ts";
import { SERVER_OPTIONS, serverCredentials } from "./transport.ts";

/** A service, who may call it, and what it does. */
export interface ServedService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

export interface RunningServer {
  /** the bound port, also if port 0 was asked for */
  readonly port: number;
  /** Takes no new calls, lets open ones go on for `graceMs`, then cuts them. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/**
 * Serves over mutual TLS.
 *
 * @param address `host:port`
 * @throws when the address cannot be bound
 */
export const serve = async (
  address: string,
  tls: TlsIdentity,
  admission: Admission,
  services: readonly ServedService[],
): Promise<RunningServer> => {
  const server = new Server({ ...SERVER_OPTIONS, interceptors: [roleGate(tls.clusterId, admission)] });
  for (const { definition, implementation } of services) server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, serverCredentials(tls), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, stop: (graceMs) => stop(server, graceMs) };
};

/**
 * The library waits for every connection, also for one in its TLS handshake, which it does not cut; the grace bounds
 * the wait.
 */
const stop = (server: Server, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(cut);
      resolve();
    });
  });
