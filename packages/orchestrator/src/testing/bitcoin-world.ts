import type { ChainNode } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { BTC_TRANSFER, rpcCallOf } from "@conclave/chains/testing";
import { openScriptedLedger, type ScriptedLedger, WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import type { ChainRequest, FamilyContent, Transaction } from "@conclave/custody";
import { changeChainRequest, insertChainRequest, lockChainRequest } from "@conclave/platform";
import { expect } from "vitest";
import type { RequestHandler } from "../chain-requests/work.ts";
import type { SigningPort } from "../signing-port.ts";
import { followOnce } from "./follow-once.ts";
import { noneSigned } from "./plain-signers.ts";
import { freshDatabases, WalletWorld } from "./wallet-world.ts";

/** A simulated bitcoind, an orchestrator's database, and signers that sign whatever a test lets them. */
export class BitcoinWorld extends WalletWorld {
  readonly #ledger: ScriptedLedger;
  readonly node: ChainNode;
  shortage: string | undefined;
  isBegun = false;
  askSigned: SigningPort["askSigned"] = noneSigned;

  constructor(ledger: ScriptedLedger, databases: Awaited<ReturnType<typeof freshDatabases>>) {
    const entry = WALLET_SAMPLES.Bitcoin.entryAt(ledger.node.url);
    const node = NODES.connect(entry);
    super(databases, entry.network, node);
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

  readonly admin: ScriptedLedger["admin"] = (action, input) => this.#ledger.admin(action, input);
  /** The signed transactions that the node received, in hex. */
  readonly posted = (): readonly string[] =>
    this.#ledger.node.asked
      .map(rpcCallOf)
      .flatMap(({ method, params }) => (method === "sendrawtransaction" ? [String(params[0])] : []));
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

/** Starts a ledger and a database with the sample's P2WPKH wallet. */
export const startBitcoinWorld = async (): Promise<BitcoinWorld> => {
  const world = new BitcoinWorld(await openScriptedLedger("Bitcoin", "signet"), await freshDatabases());
  const { scheme, key } = WALLET_SAMPLES.Bitcoin;
  await world.begin(scheme, key);
  return world;
};
