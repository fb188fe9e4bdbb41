import type { ChainNode } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { BITCOIN_KEY, BITCOIN_SIGNET, BTC_TRANSFER } from "@conclave/chains/testing";
import type { ChainRequest, FamilyContent, Transaction } from "@conclave/custody";
import { type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { changeChainRequest, insertChainRequest, lockChainRequest } from "@conclave/platform";
import { expect } from "vitest";
import { z } from "zod";
import type { RequestHandler } from "../chain-requests/work.ts";
import type { SigningQuorum } from "../signing-quorum.ts";
import { followOnce } from "./follow-once.ts";
import { noneSigned } from "./plain-quorum.ts";
import { freshDatabases, WalletWorld } from "./wallet-world.ts";

const START_MS = 1_795_132_800_000;

/** A simulated bitcoind, an orchestrator's database, and signers that sign whatever a test lets them. */
export class BitcoinWorld extends WalletWorld {
  readonly #ledger: RunningLedger;
  readonly node: ChainNode;
  shortage: string | undefined;
  isBegun = false;
  askSigned: SigningQuorum["askSigned"] = noneSigned;

  constructor(
    ledger: RunningLedger,
    genesisHash: string,
    databases: Awaited<ReturnType<typeof freshDatabases>>,
  ) {
    const node = NODES.connect(Object.assign({}, BITCOIN_SIGNET, { genesisHash, bitcoindUrl: ledger.url }));
    super(databases, BITCOIN_SIGNET.network, node);
    this.#ledger = ledger;
    this.node = node;
    const { quorum } = this.handler;
    this.handler = {
      ...this.handler,
      quorum: {
        ...quorum,
        shortage: () => this.shortage,
        isBegun: () => this.isBegun,
        askSigned: (asked) => this.askSigned(asked),
      },
    };
  }

  set gathered(gathered: RequestHandler["gathered"]) {
    this.handler = { ...this.handler, gathered };
  }

  readonly admin = (action: string, input: object = {}) => commandLedger(this.#ledger, action, input);
  readonly mine = (blocks = 1) => this.admin("mine", { blocks });
  readonly fund = async (address: string, ...amounts: readonly number[]): Promise<void> => {
    for (const amount of amounts) await this.admin("fund", { address, amount });
    await this.mine();
  };

  /** A payment as the gateway stores it. */
  readonly pay = (transfer: FamilyContent = BTC_TRANSFER) => this.enter(transfer);

  /** A request that replaces another, as the gateway stores it. */
  readonly replace = async (
    replaced: ChainRequest,
    transaction: FamilyContent,
    kind: "SpeedUpTransaction" | "CancelTransaction" = "SpeedUpTransaction",
  ): Promise<Transaction> => {
    const requestBody = { kind, txHash: "", signedTx: "0x" };
    const facts = { requestBody, replacesId: replaced.id, isGathering: false };
    const request = this.transactionOf(transaction, facts);
    await this.database.transaction(async (connection) => {
      await insertChainRequest(connection, request);
      const current = (await lockChainRequest(connection, replaced.id)) ?? expect.fail("it is gone");
      await changeChainRequest(connection, current, { kind: "Replaced", by: request.id });
    });
    return request;
  };

  readonly follow = async (blocks: number): Promise<void> => {
    await this.mine(blocks);
    await followOnce(this.handler);
  };

  readonly stop = async (): Promise<void> => {
    await Promise.all([this.close(), this.#ledger.stop()]);
  };
}

/** Starts a ledger and makes a database with one P2WPKH wallet, whose key is BITCOIN_KEY. */
export const startBitcoinWorld = async (): Promise<BitcoinWorld> => {
  const ledger = await startBitcoinLedger({
    clock: new HandClock(START_MS),
    chain: "signet",
    seed: "tests",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  const view = await (await fetch(ledger.adminUrl)).json();
  const { genesisHash } = z.object({ genesisHash: z.string() }).parse(view);
  const world = new BitcoinWorld(ledger, genesisHash, await freshDatabases());
  await world.begin("ECDSA", BITCOIN_KEY);
  return world;
};
