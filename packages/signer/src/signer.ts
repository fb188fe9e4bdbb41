import type { Result, World } from "@conclave/custody";
import { warnOfCertificateEnd } from "@conclave/platform/certificates";
import { ComputePool, type WorkerEntry } from "@conclave/platform/compute";
import {
  CONTROL,
  HEALTH,
  HealthService,
  olderServices,
  PEER,
  type SignerStatus,
  serve,
} from "@conclave/platform/grpc";
import { machineBootId } from "@conclave/platform/life";
import type { Logger } from "@conclave/platform/logger";
import { type SearchEntry, searchAuxiliaryPrimes } from "@conclave/platform/primes";
import type { OpenStore } from "@conclave/platform/vault";
import { assembleSigner } from "./assembly/assembly.ts";
import type {
  ComputeListener,
  ProcessFigures,
  ServedSigner,
  Serving,
  SignerParts,
} from "./assembly/parts.ts";
import type { SignerSettings } from "./config.ts";
import { controlHandlers } from "./grpc/control-handlers.ts";
import { GrpcPeerLinks } from "./grpc/peer-links.ts";
import { PeerService } from "./grpc/peer-service.ts";
import { type OpenRecords, openRecords } from "./records.ts";

/** Open calls have this long to end when the signer stops. */
const STOP_GRACE_MS = 1_000;

/** The allowed callers of each service. */
const ADMISSION = {
  "conclave.signer.v2.Control": ["orchestrator"],
  "conclave.signer.v2.Peer": ["signer"],
  // of an older version: the answer says so
  "conclave.signer.v1.Control": ["orchestrator"],
  "conclave.signer.v1.Peer": ["signer"],
  "grpc.health.v1.Health": ["orchestrator", "signer"],
} as const;

export interface RunningSigner {
  /** the port that is really bound */
  readonly port: number;
  readonly status: () => SignerStatus;
  /** Ends sessions with a failure, answers what is open, closes the store. */
  readonly stop: () => Promise<void>;
}

export interface SignerOptions {
  readonly world: World;
  readonly log: Logger;
  /** the signer cannot go on: the process has to stop, and a restart burns what was open */
  readonly failed: (error: unknown) => void;
  /** where a test runs the workers, and the search for primes, from source */
  readonly workerEntry?: WorkerEntry;
  readonly searchEntry?: SearchEntry;
  /** where a test has the disk fail */
  readonly openStore?: OpenStore;
}

/**
 * Starts the signer of a process: opens its store, and assembles it over worker threads, the mesh and a gRPC server.
 *
 * @returns refusal PassphraseWrong, StoreNewer, StoreDamaged, StoreAltered or StoreOfAnother, outage StoreLocked or StoreUnusable
 */
export const startSigner = async (
  settings: SignerSettings,
  options: SignerOptions,
): Promise<Result<RunningSigner>> => {
  const { vaultFolder, passphrase, machine, identity } = settings;
  const opened = await openRecords(
    vaultFolder,
    passphrase,
    identity.identityKey,
    machine.reader,
    options.openStore,
  );
  if (!opened.ok) return opened;
  let port = 0;
  const signer = await assembleSigner({
    ...partsOf(settings, options, opened.value),
    serve: async (served) => {
      warnOfCertificateEnd(settings.tls, options.world.nowMs(), options.log);
      const serving = await serveGrpc(settings, options, served);
      port = serving.port;
      return serving;
    },
  });
  if (!signer.ok) return signer;
  const { status, stop } = signer.value;
  return { ok: true, value: { port, status, stop } };
};

const partsOf = (
  { id, machine, parameters, identity, workers, peers, tls }: SignerSettings,
  { world, log, failed, workerEntry, searchEntry }: SignerOptions,
  records: OpenRecords,
): Omit<SignerParts, "serve"> => ({
  id,
  machine,
  world,
  log,
  failed,
  records,
  openLinks: (dropped) => new GrpcPeerLinks(peers, tls, dropped),
  openCompute: (listener: ComputeListener) =>
    new ComputePool({
      host: { self: machine.self, parameters, peers: machine.roster, secrets: identity.secrets },
      workers,
      ...listener,
      ...(workerEntry === undefined ? {} : { entry: workerEntry }),
    }),
  searchPrimes: (signal, progress) =>
    searchAuxiliaryPrimes(parameters, {
      signal,
      progress,
      ...(searchEntry === undefined ? {} : { entry: searchEntry }),
    }),
  bootId: machineBootId,
  figures: figuresOfProcess,
});

const figuresOfProcess = (): ProcessFigures => {
  const { user, system } = process.cpuUsage();
  return { cpuMicroseconds: user + system, residentBytes: process.memoryUsage.rss() };
};

/** Answers the orchestrator and peers from now on. */
const serveGrpc = async (
  { listen, tls, id, machine }: SignerSettings,
  { world }: SignerOptions,
  { control, deliver }: ServedSigner,
): Promise<Serving & { readonly port: number }> => {
  const health = new HealthService();
  const mesh = new PeerService(world, deliver, machine.clusterId);
  const server = await serve(listen, tls, ADMISSION, [
    { definition: CONTROL, implementation: controlHandlers(control) },
    { definition: PEER, implementation: mesh.handlers() },
    { definition: HEALTH, implementation: health.handlers() },
    ...olderServices(id),
  ]);
  return {
    port: server.port,
    setReady: (isReady) => health.setServing(isReady),
    stop: () => {
      mesh.close();
      health.close();
      return server.stop(STOP_GRACE_MS);
    },
  };
};
