import { Gauge, Histogram, type LaneCount, type Metrics, makeMetrics } from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";
import type { SignedCount } from "./coordinators.ts";
import { type CountedDepositEvents, countedDepositEvents } from "./log/deposit-events.ts";
import { signerDeviated } from "./log/session-events.ts";
import type { StockListing } from "./presignatures/stock.ts";

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

/** The numbers that each signer reports of its presignatures: how many there are, and the fates of others since its start. */
const POOL_COUNTERS = [
  { name: "ready", field: "ready", help: "Presignatures that are ready at the signer" },
  { name: "stored", field: "stored", help: "Presignatures that the signer stored" },
  { name: "consumed", field: "consumed", help: "Presignatures that the signer signed with" },
  { name: "burnt", field: "burnt", help: "Presignatures that the signer threw away" },
  { name: "expired", field: "expired", help: "Presignatures that grew too old" },
  { name: "refused", field: "refused", help: "Requests for a presignature that the signer refused" },
  {
    name: "rolled_back",
    field: "rolledBack",
    help: "Times that the signer's store turned out to be an old copy",
  },
  { name: "reused", field: "reused", help: "Requests to sign a second digest with a spent presignature" },
] as const;

export interface OrchestratorMetrics extends Metrics {
  /** duration of the work on one delivery of a request */
  readonly deliverySeconds: Histogram<"request" | "disposition">;
  readonly signerDeviated: ReturnType<typeof signerDeviated>;
  /** final blocks that are still to be read for deposits */
  readonly unreadBlocks: Gauge<"network">;
  readonly deposits: CountedDepositEvents;
}

/** Shows the pool numbers of each signer that answers, one gauge for each number. */
const showPools = (registry: Metrics["registry"], signers: Signers): void => {
  for (const counter of POOL_COUNTERS) {
    new Gauge({
      name: `conclave_signer_pool_${counter.name}`,
      help: counter.help,
      labelNames: ["signer"],
      registers: [registry],
      collect() {
        for (const { id, status } of signers.view()) {
          if (status !== undefined) this.set({ signer: id }, status.pool[counter.field]);
        }
      },
    });
  }
};

/** Shows how far each signer's clock is from this process's, for signers that report it. */
const showClocks = (registry: Metrics["registry"], signers: Signers): void => {
  new Gauge({
    name: "conclave_signer_clock_ahead_seconds",
    help: "How far the signer's clock is ahead of this process's; below 0 where it is behind",
    labelNames: ["signer"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id, clockAheadMs } of signers.view()) {
        if (clockAheadMs !== undefined) this.set({ signer: id }, clockAheadMs / 1_000);
      }
    },
  });
};

/** Shows the peers with which a signer refuses to sign; a pair disappears when its quarantine ends. */
const showQuarantines = (registry: Metrics["registry"], signers: Signers): void => {
  new Gauge({
    name: "conclave_signer_quarantined",
    help: "1 while the signer signs nothing with a peer that it proved to cheat",
    labelNames: ["signer", "peer"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id, status } of signers.view()) {
        for (const { signer } of status?.quarantined ?? []) {
          this.set({ signer: id, peer: signers.idOf(signer) }, 1);
        }
      }
    },
  });
};

/** Shows with how many keys each signer refuses to sign, as its store was an older copy. */
const showKeysToRefresh = (registry: Metrics["registry"], signers: Signers): void => {
  new Gauge({
    name: "conclave_signer_keys_to_refresh",
    help: "Keys with which the signer signs nothing before conclave refresh, as its store was an older copy",
    labelNames: ["signer"],
    registers: [registry],
    collect() {
      for (const { id, status } of signers.view()) {
        if (status !== undefined) this.set({ signer: id }, status.keysToRefresh);
      }
    },
  });
};

/** Shows the number of due requests in each state; while the database is away the last numbers stay. */
const showDue = (registry: Metrics["registry"], due: MetricSources["due"]): void => {
  new Gauge({
    name: "conclave_due_requests",
    help: "Requests that are asked for and not carried out, by lane and by what becomes of them now",
    labelNames: ["lane", "state"],
    registers: [registry],
    async collect() {
      const counts = await due().catch(() => undefined);
      if (counts === undefined) return;
      this.reset();
      for (const { lane, ...states } of counts) {
        for (const [state, count] of Object.entries(states)) this.set({ lane, state }, count);
      }
    },
  });
};

/** The sources of metrics that are read at each scrape. */
interface MetricSources {
  readonly stock: () => StockListing;
  readonly signed: () => SignedCount;
  readonly due: () => Promise<readonly LaneCount[]>;
}

/** The orchestrator's own metrics, beside those of its process. */
export const orchestratorMetrics = (
  signers: Signers,
  { stock, signed, due }: MetricSources,
): OrchestratorMetrics => {
  const metrics = makeMetrics("orchestrator");
  const { registry } = metrics;
  new Gauge({
    name: "conclave_signers_live",
    help: "Signers that serve and answer",
    registers: [registry],
    collect() {
      this.set(signers.live().length);
    },
  });
  new Gauge({
    name: "conclave_presignatures_ready",
    help: "Presignatures that are ready at all of their signers and leased to this process, by signer set",
    labelNames: ["signers"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { signers: set, ready } of stock().sets) this.inc({ signers: set.join("-") }, ready);
    },
  });
  new Gauge({
    name: "conclave_signatures",
    help: "Signatures since the start, with a presignature of the pool or with one made on the spot",
    labelNames: ["path"],
    registers: [registry],
    collect() {
      for (const [path, count] of Object.entries(signed())) this.set({ path }, count);
    },
  });
  showDue(registry, due);
  showPools(registry, signers);
  showQuarantines(registry, signers);
  showKeysToRefresh(registry, signers);
  showClocks(registry, signers);
  return {
    ...metrics,
    deliverySeconds: new Histogram({
      name: "conclave_delivery_seconds",
      help: "Time spent on one look at a request",
      labelNames: ["request", "disposition"],
      buckets: SECONDS,
      registers: [registry],
    }),
    signerDeviated: signerDeviated(metrics),
    unreadBlocks: new Gauge({
      name: "conclave_deposits_unread_blocks",
      help: "Final blocks that are still to be read for what they brought to wallets",
      labelNames: ["network"],
      registers: [registry],
    }),
    deposits: countedDepositEvents(metrics),
  };
};
