import { type ApiTransfer, type ApiWallet, type Cluster, waitUntil } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import type { Report } from "../progress.ts";
import { takeSamples, timed } from "../sampling.ts";
import { quantile } from "../statistics.ts";

const SAMPLES = 10;
const LIMIT_MS = 30_000;
const POLL_MS = 10;
const DEADLINE_MS = 60_000;
const PAYEE = "0x00000000000000000000000000000000c0ffee00";

export const sendTransfer = (cluster: Cluster, wallet: ApiWallet): Promise<ApiTransfer> =>
  cluster.api.transfer(wallet.id, { kind: "Native", to: PAYEE, amount: "1000" });

const hasLeft = ({ status }: ApiTransfer): boolean => status === "Broadcasted" || status === "Confirmed";

/** Reads a transfer every 10 ms until it is broadcast. */
export const broadcasted = (cluster: Cluster, transfer: ApiTransfer): Promise<ApiTransfer> =>
  waitUntil(
    async () => {
      const current = await cluster.api.readTransfer(transfer.walletId, transfer.id);
      if (current.status === "Failed" || current.status === "Rejected") {
        throw new Error(`transfer ${transfer.id} ended ${current.status}: ${current.reason ?? ""}`);
      }
      return hasLeft(current) ? current : undefined;
    },
    { what: `transfer ${transfer.id} to be broadcast`, deadlineMs: DEADLINE_MS, pollMs: POLL_MS },
  );

/** Measures transfers over REST, each confirmed before the next is sent. */
export const transferFigures = async (
  cluster: Cluster,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly Figure[]> => {
  const sampling = { what: "transfers over REST", count: SAMPLES, limitMs: LIMIT_MS };
  const taken = await takeSamples(sampling, report, async () => {
    const accepted = await timed(() => sendTransfer(cluster, wallet));
    const left = await timed(() => broadcasted(cluster, accepted.result));
    await cluster.api.confirmed(accepted.result, DEADLINE_MS);
    return { acceptedMs: accepted.ms, broadcastMs: accepted.ms + left.ms };
  });
  const broadcasts = taken.map(({ broadcastMs }) => broadcastMs);
  return [
    {
      name: "transfer.accepted.p50",
      unit: "ms",
      label: "POST a transfer → answer, p50",
      value: quantile(
        taken.map(({ acceptedMs }) => acceptedMs),
        0.5,
      ),
    },
    {
      name: "transfer.broadcasted.p50",
      unit: "ms",
      label: "POST a transfer → Broadcasted, p50",
      value: quantile(broadcasts, 0.5),
      note: `${taken.length} transfers, one after the other, read every ${POLL_MS} ms`,
    },
    {
      name: "transfer.broadcasted.p99",
      unit: "ms",
      label: "POST a transfer → Broadcasted, p99",
      value: quantile(broadcasts, 0.99),
    },
  ];
};
