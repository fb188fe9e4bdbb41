import { type NetworkFamily, networkSchema } from "@conclave/custody";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { serviceSpec } from "../parts/service-process.ts";
import type { LocalNetwork } from "./local-network.ts";

export interface LedgerRow {
  readonly network: string;
  readonly family: NetworkFamily;
  /** which ledger simulates the network, unless the family's name says so */
  readonly ledger?: string;
  /** interval between blocks in milliseconds; by default the ledger's own */
  readonly blockMs?: number;
  /** how many blocks it takes until the node counts a payment; by default one */
  readonly blocksToCount?: number;
  readonly decimals: number;
  readonly price: LocalNetwork["price"];
  /** the chain's name in its ledger, such as a genesis id; a real network's name only if address formats depend on it */
  readonly chain: string;
  /** the members of its entry in the networks file, without network and family */
  readonly entry: (url: string, seed: string) => Readonly<Record<string, unknown>>;
}

/** Timeout of a readiness check, which is repeated. */
const ANSWER_MS = 5_000;
/** Timeout of a faucet payment. */
const COMMAND_MS = 30_000;

const refusalSchema = z.object({ message: z.string() });

const command = async (adminUrl: string, action: string, input: object): Promise<void> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(COMMAND_MS),
  });
  if (answer.ok) return;
  const refusal = refusalSchema.safeParse(await answer.json().catch(() => undefined));
  const words = refusal.success ? refusal.data.message : `HTTP ${answer.status}`;
  throw new LaunchError(`the ledger refuses to ${action}: ${words}`, "Check the address and the amount.");
};

/** Pays out of the faucet and makes blocks at once, so that the money can be used immediately. */
const pay = async (adminUrl: string, address: string, amount: bigint, blocks: number): Promise<void> => {
  await command(adminUrl, "fund", { address, amount: String(amount) });
  await command(adminUrl, "mine", { blocks });
};

const settingsOf = ({
  family,
  ledger = family,
  chain,
  blockMs,
}: LedgerRow): LocalNetwork["chainSettings"] => ({
  CONCLAVE_LEDGER: ledger,
  CONCLAVE_CHAIN: chain,
  ...(blockMs === undefined ? {} : { CONCLAVE_BLOCK_MS: String(blockMs) }),
});

/** A network whose local node is a simulated ledger: a process of services/ledger. */
export const ledgerNetwork = (row: LedgerRow): LocalNetwork => {
  const { network, family, blocksToCount = 1, decimals, price, entry } = row;
  const chainSettings = settingsOf(row);
  return {
    network: networkSchema.parse(network),
    family,
    decimals,
    price,
    chainSettings,
    process: `ledger-${network}`,
    entry: (url, seed) => ({ network, family, ...entry(url, seed) }),
    spec: ({ folder, logFile, port, adminPort, seed }) =>
      serviceSpec("ledger", `ledger-${network}`, logFile, {
        ...chainSettings,
        CONCLAVE_LISTEN: `127.0.0.1:${port}`,
        CONCLAVE_ADMIN_PORT: String(adminPort),
        CONCLAVE_SEED: seed,
        CONCLAVE_LEDGER_DIR: folder,
      }),
    answers: async ({ adminUrl }) => {
      try {
        return (await fetch(adminUrl, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
      } catch {
        return false;
      }
    },
    fund: ({ adminUrl }, address, amount) => pay(adminUrl, address, amount, blocksToCount),
  };
};
