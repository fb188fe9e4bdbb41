import type { Metrics, ParkedRequest, ProcessHealth } from "@conclave/platform";
import type { SignerView } from "@conclave/platform/coordination";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { SignedCount } from "./coordinators.ts";
import type { StockListing } from "./presignatures/stock.ts";
import type { Readiness } from "./readiness.ts";

export interface HttpView {
  readonly health: Pick<ProcessHealth, "report">;
  readonly metrics: Metrics;
  readonly readiness: () => Readiness;
  readonly threshold: number;
  readonly signers: () => readonly SignerView[];
  readonly presignatures: () => StockListing;
  /** numbers of signatures since the start, with and without presignatures of the pool */
  readonly signed: () => SignedCount;
  /** parked requests */
  readonly parked: () => Promise<readonly ParkedRequest[]>;
  readonly networks: readonly string[];
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The public facts of a signer, for programs and people. */
const signerJson = ({ status, ...view }: SignerView) => ({
  ...view,
  status: status && {
    state: status.state,
    parameters: status.parameters,
    auxiliaryEpoch: status.auxiliaryEpoch,
    auxiliaryDigest: hex(status.auxiliaryDigest),
    keys: status.keyCount,
    keysToRefresh: status.keysToRefresh,
    sessions: status.sessions.map(({ session, protocol, stage }) => ({
      session: hex(session),
      protocol,
      stage,
    })),
    cpuMicroseconds: status.cpuMicroseconds,
    residentBytes: status.residentBytes,
    connectedPeers: status.connectedPeers,
    quarantined: status.quarantined,
    pool: status.pool,
  },
});

/** GET /health (200 while it serves, else 503), GET /metrics (Prometheus), GET /status (the signers, as JSON). */
export const orchestratorRoutes = (view: HttpView): Hono =>
  new Hono()
    .get("/health", async (context) => {
      const report = await view.health.report();
      return context.json(report, report.status === "serving" ? 200 : 503);
    })
    .get("/metrics", async (context) =>
      context.text(await view.metrics.text(), 200, { "content-type": view.metrics.contentType }),
    )
    .get("/status", async (context) =>
      context.json({
        readiness: view.readiness(),
        threshold: view.threshold,
        networks: view.networks,
        signers: view.signers().map(signerJson),
        presignatures: { ...view.presignatures(), signed: view.signed() },
        // the other fields are available even while the database is away
        parked: await view.parked().catch(() => undefined),
      }),
    );

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens; port 0 takes any free port. */
export const serveHttp = (
  routes: Hono,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<StatusServer> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: routes.fetch, hostname: host, port }, (address) =>
      resolve({
        port: address.port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            if ("closeAllConnections" in server) server.closeAllConnections();
          }),
      }),
    );
    server.on("error", reject);
  });
