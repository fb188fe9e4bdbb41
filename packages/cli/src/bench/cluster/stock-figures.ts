import { type ApiWallet, type Cluster, waitUntil } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import { untilQuiet } from "../machine/resource-figures.ts";
import type { Report } from "../progress.ts";
import { takeSamples, timed } from "../sampling.ts";
import { quantile } from "../statistics.ts";
import { broadcasted, sendTransfer } from "./transfer-figures.ts";

const LIMIT_MS = 60_000;
const STOCKED_MS = 240_000;
const DEADLINE_MS = 60_000;
const SIGNATURES = 15;
const TRANSFERS = 10;
const STOCK_BUDGET_S = 60;
/** enough for all measurements, with some to spare */
const IN_STOCK = 30;
/** the default of CONCLAVE_PRESIGNATURES: two for each of five sets of signers */
const OF_ONE_KEY = 10;
/** DESIGN.md: signature over REST from a ready presignature, p50 / p99 */
const REST_BUDGET_MS = { p50: 15, p99: 60 } as const;

/** Counts the ready presignatures of the wallet's key whose signers are all alive. */
const readyFor = async (cluster: Cluster, wallet: ApiWallet, dead: readonly number[]): Promise<number> =>
  ((await cluster.stock())?.sets ?? [])
    .filter(
      ({ keyId, signers }) => keyId === wallet.signingKey.id && !signers.some((one) => dead.includes(one)),
    )
    .reduce((sum, { ready }) => sum + ready, 0);

const stocked = (
  cluster: Cluster,
  wallet: ApiWallet,
  count: number,
  dead: readonly number[] = [],
): Promise<true> =>
  waitUntil(async () => ((await readyFor(cluster, wallet, dead)) >= count ? true : undefined), {
    what: "presignatures to be ready",
    deadlineMs: STOCKED_MS,
    pollMs: 200,
  });

/** Signs messages over REST, one at a time; each call returns its signature. @returns the milliseconds of each */
const signMessages = async (
  cluster: Cluster,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly number[]> => {
  const sampling = { what: "signatures over REST from the pool", count: SIGNATURES, limitMs: LIMIT_MS };
  const taken = await takeSamples(sampling, report, (position) => {
    const message = `0x${Buffer.from(`message ${position}`).toString("hex")}`;
    return timed(() => cluster.api.sign(wallet.id, { kind: "Message", message }));
  });
  const unsigned = taken.find(({ result }) => result.status !== "Signed");
  if (unsigned !== undefined) throw new Error(`${unsigned.result.id} is ${unsigned.result.status}`);
  return taken.map(({ ms }) => ms);
};

const transfer = async (cluster: Cluster, wallet: ApiWallet): Promise<number> => {
  const { result, ms } = await timed(async () => broadcasted(cluster, await sendTransfer(cluster, wallet)));
  await cluster.api.confirmed(result, DEADLINE_MS);
  return ms;
};

/**
 * Times a transfer right after a signer was killed, and then restarts the signer: the next measurement makes keys, which
 * needs every signer.
 */
const transferAfterDeath = async (cluster: Cluster, wallet: ApiWallet) => {
  await stocked(cluster, wallet, 1, [1]);
  await cluster.kill("signer-1");
  const afterDeath = await transfer(cluster, wallet);
  const signed = (await cluster.stock())?.signed;
  await cluster.restart("signer-1");
  await cluster.ready();
  return { afterDeath, signed };
};

/** The time to fill the stock of one key after every signer was restarted, which discards all earlier presignatures. */
const stockAnew = async (cluster: Cluster, wallet: ApiWallet): Promise<Figure> => {
  const signers = cluster.description.signers.map(({ id }) => id);
  await Promise.all(signers.map((id) => cluster.kill(id)));
  await Promise.all(signers.map((id) => cluster.restart(id)));
  await cluster.ready();
  const { ms } = await timed(() => stocked(cluster, wallet, OF_ONE_KEY));
  return {
    name: "stock.anew",
    unit: "s",
    label: `${OF_ONE_KEY} presignatures of one key after all signers were killed`,
    value: ms / 1000,
    budget: STOCK_BUDGET_S,
    note: "what CONCLAVE_PRESIGNATURES keeps unless it is set; from the moment that all signers are ready",
  };
};

/** Measures signatures and transfers over REST from the presignature pool, with all signers and after the death of one. */
export const stockFigures = async (
  cluster: Cluster,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly Figure[]> => {
  const filling = await timed(() => stocked(cluster, wallet, IN_STOCK));
  report("presignatures are in stock");
  // workers that have just become idle precompute masks on the same cores
  await untilQuiet(cluster);
  const signatures = await signMessages(cluster, wallet, report);
  const sampling = { what: "transfers over REST from the pool", count: TRANSFERS, limitMs: LIMIT_MS };
  const taken = await takeSamples(sampling, report, () => transfer(cluster, wallet));
  const { afterDeath, signed } = await transferAfterDeath(cluster, wallet);
  const anew = await stockAnew(cluster, wallet);
  return [
    {
      name: "stock.fill",
      unit: "s",
      label: `${IN_STOCK} presignatures in stock after a start`,
      value: filling.ms / 1000,
    },
    anew,
    {
      name: "signature.rest.p50",
      unit: "ms",
      label: "POST a message → its signature from the pool, p50",
      value: quantile(signatures, 0.5),
      budget: REST_BUDGET_MS.p50,
      note: `${signatures.length} signatures, one after the other; policies, queue and database included`,
    },
    {
      name: "signature.rest.p99",
      unit: "ms",
      label: "POST a message → its signature from the pool, p99",
      value: quantile(signatures, 0.99),
      budget: REST_BUDGET_MS.p99,
    },
    {
      name: "transfer.pooled.p50",
      unit: "ms",
      label: "POST a transfer → Broadcasted from the pool, p50",
      value: quantile(taken, 0.5),
      budget: REST_BUDGET_MS.p50,
      note: `${taken.length} transfers; queue, database, chain queries and the broadcast included`,
    },
    {
      name: "transfer.pooled.p99",
      unit: "ms",
      label: "POST a transfer → Broadcasted from the pool, p99",
      value: quantile(taken, 0.99),
      budget: REST_BUDGET_MS.p99,
    },
    {
      name: "transfer.pooled.after-death",
      unit: "ms",
      label: "kill -9 of a signer, POST → Broadcasted",
      value: afterDeath,
      note: `signed so far: ${signed?.pooled ?? 0} from the pool, ${signed?.interactive ?? 0} without`,
    },
  ];
};
