import { type NetworkFamily, networkSchema } from "@conclave/custody";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { serviceSpec } from "../parts/service-process.ts";
import type { LocalNetwork } from "./local-network.ts";

export interface LedgerRow {
  readonly network: string;
  readonly family: NetworkFamily;
  /** which ledger simulates it, where that is not named as the family */
  readonly ledger?: string;
  /** milliseconds from block to block, where they are not the ledger's own */
  readonly blockMs?: number;
  /** blocks until a payment counts for those who ask the node; one, unless it is said */
  readonly blocksToCount?: number;
  readonly decimals: number;
  readonly price: LocalNetwork["price"];
  /** the chain's name in its ledger, such as a genesis id: that of a real network only where addresses follow from it */
  readonly chain: string;
  /** the members of its entry in the networks file beside network and family */
  readonly entry: (url: string, seed: string) => Readonly<Record<string, unknown>>;
}

/** A node that starts answers within this time, or is asked again. */
const ANSWER_MS = 5_000;
/** The most that the faucet takes. */
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

/** The faucet pays, and blocks are made at once: the caller can use the money without waiting. */
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

/** A network whose node here is a simulated ledger: a process of services/ledger. */
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
