import { LEDGERS } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import type { EnabledNetwork } from "../../chain.ts";
import { NODES } from "../../node.ts";
import { FAMILIES } from "../../registry.ts";
import { LEDGER_SEED } from "../ledgers/scripted-ledger.ts";
import { firstEntry } from "./first-entry.ts";
import type { OpenTriedChain, TriedChain } from "./tried-chain.ts";
import { type ConnectAt, falteringWire, restingWire, wireTroubles } from "./troubled-wire.ts";

const START_MS = 1_795_132_800_000;

/** The family-specific parts of a ledger's chain. */
export interface LedgerCase extends Pick<TriedChain, "keyOf" | "amount" | "transfer" | "showsPool"> {
  readonly ledger: keyof typeof LEDGERS;
  /** the ledger's name for each of two chains */
  readonly chains: Readonly<Record<"ours" | "other", string>>;
  /** the entry of a chain whose node has this URL */
  readonly entry: (chain: string, url: string) => object;
  /** the entry's fields that hold the node's URL */
  readonly at: (url: string) => object;
  readonly token?: string;
  /** block time, by the ledger's clock */
  readonly blockMs: number;
  readonly includedAfter: number;
  /** blocks until a landed transaction is final */
  readonly finalAfter: number;
  /** time to pass, and blocks to make after it, until a transaction has expired */
  readonly outlived: { readonly ms: number; readonly blocks: number };
  /** blocks until a wallet can spend the faucet's payment */
  readonly fundedAfter: number;
  readonly reorganises: boolean;
}

/** A chain of a simulated ledger, whose clock the suite moves. */
export const openLedgerChain =
  (given: LedgerCase): OpenTriedChain =>
  async (which) => {
    const clock = new HandClock(START_MS);
    const ledger = await LEDGERS[given.ledger].start({
      clock,
      chain: given.chains[which],
      seed: LEDGER_SEED,
      blockMs: 0,
      listen: { host: "127.0.0.1", port: 0 },
      adminPort: 0,
      token: given.token,
    });
    const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);
    const mine = async (blocks = 1): Promise<void> => {
      clock.pass(given.blockMs * blocks);
      await admin("mine", { blocks });
    };
    const connect: ConnectAt = (entry, url) => NODES.connect(movedTo(entry, given.at(url)));
    const entry = firstEntry(given.entry(given.chains[which], ledger.url));
    return {
      ...given,
      family: FAMILIES.familyOf(entry.network),
      entry,
      connect: (reported) => connect(reported, ledger.url),
      fund: async (address) => {
        await admin("fund", { address, amount: fundsOf(given) });
        await mine(given.fundedAfter);
      },
      mine,
      include: () => mine(given.includedAfter),
      finalise: () => mine(given.finalAfter),
      outlive: async () => {
        clock.pass(given.outlived.ms);
        await mine(given.outlived.blocks);
      },
      ...(given.reorganises
        ? { reorganise: async () => void (await admin("reorg", { depth: given.includedAfter })) }
        : {}),
      troubles: wireTroubles(connect),
      asksForRest: restingWire(connect),
      faltersAfter: falteringWire(connect, ledger.url),
      close: () => ledger.stop(),
    };
  };

const movedTo = (entry: EnabledNetwork, at: object): EnabledNetwork => ({ ...entry, ...at });

/** The amount to fund, in the ledger's JSON form. */
const fundsOf = ({ ledger, amount }: LedgerCase): number | string =>
  ledger === "Solana" ? (10n * amount).toString() : Number(10n * amount);
