import { hex } from "@scure/base";
import { expect, it } from "vitest";
import { bitcoinTestKey, fieldOf, outputOfPayment, signedPayment } from "../testing/bitcoin-world.ts";
import { scriptPaying } from "./address.ts";
import { advanceBitcoin, type BitcoindEvent } from "./advance.ts";
import { answerRpc } from "./bitcoind/rpc.ts";
import { withoutOldest } from "./chain/chain.ts";
import { makeBitcoindGenesis } from "./genesis.ts";
import { type BitcoindState, openBitcoinLedger } from "./state.ts";

const TIME = 1_795_132_800;
const [ALICE, BOB] = [bitcoinTestKey(1), bitcoinTestKey(2)];

/** A ledger without time and interface, which can be made to forget. */
class ForgetfulLedger {
  readonly now = TIME;
  state: BitcoindState = openBitcoinLedger(makeBitcoindGenesis("regtest", "tests"));

  apply(event: BitcoindEvent) {
    const { state, effects } = advanceBitcoin(this.state, event);
    this.state = state;
    return effects;
  }

  mine(blocks = 1): void {
    for (let made = 0; made < blocks; made += 1) {
      this.apply({ kind: "mine", time: TIME, rewardScript: undefined });
    }
  }

  /** @returns the transaction in hex, which a block holds now */
  send(raw: string): string {
    const submission = { bytes: hex.decode(raw), maxFeeRate: 0n, maxBurn: 0n, time: TIME };
    expect(this.apply({ kind: "submit", submission })).toMatchObject([{ kind: "pooled" }]);
    this.mine();
    return raw;
  }

  fund(address: string): string {
    const script = scriptPaying(address, this.state.genesis.network) ?? expect.fail(address);
    const [effect] = this.apply({ kind: "fund", script, amount: 1_000_000n, time: TIME });
    if (effect?.kind !== "pooled") expect.fail("it is not paid");
    this.mine();
    return String(this.ask("getrawtransaction", effect.txid));
  }

  /** All but so many of the latest blocks are as old as blocks that ledgers forget. */
  forgetBut(blocks: number): void {
    this.state = { ...this.state, chain: withoutOldest(this.state.chain, blocks) };
  }

  ask(method: string, ...params: readonly unknown[]): unknown {
    const { body } = answerRpc(this, { id: 1, method, params });
    return fieldOf(body, "result");
  }
}

it("a ledger that forgot its first block still names it, and what made coins that are there", () => {
  const ledger = new ForgetfulLedger();
  const first = ledger.ask("getblockhash", 0);
  const raw = ledger.fund(ALICE.p2wpkh);
  const { txid } = outputOfPayment(raw);
  const shown = ledger.ask("getrawtransaction", txid, true);
  const genesis = ledger.state.genesis.block.transactions[0]?.txid ?? "";
  ledger.mine(3);
  ledger.forgetBut(2);
  expect(ledger.ask("getblockhash", 0)).toBe(first);
  expect(ledger.ask("getblockhash", 1)).toBeNull();
  expect(ledger.ask("getrawtransaction", txid)).toBe(raw);
  expect(ledger.ask("getrawtransaction", txid, true)).toEqual({ ...Object(shown), confirmations: 4 });
  expect(ledger.ask("getrawtransaction", genesis)).toMatch(/^02/);
  const coin = outputOfPayment(raw);
  expect(ledger.ask("gettxout", txid, 0)).toMatchObject({ confirmations: 4 });
  ledger.send(signedPayment(ALICE, [coin], BOB.p2wpkh));
  expect(ledger.ask("gettxout", txid, 0)).toBeNull();
});

it("what is spent up is forgotten with the block that spent it, and no earlier: a fee is told from what was spent", () => {
  const ledger = new ForgetfulLedger();
  const coin = outputOfPayment(ledger.fund(ALICE.p2wpkh));
  const spending = outputOfPayment(ledger.send(signedPayment(ALICE, [coin], BOB.p2wpkh)));
  const last = outputOfPayment(ledger.send(signedPayment(BOB, [spending], ALICE.p2wpkh)));
  ledger.mine();
  ledger.forgetBut(2);
  expect(ledger.ask("getrawtransaction", spending.txid)).toEqual(expect.any(String));
  ledger.forgetBut(1);
  expect(ledger.ask("getrawtransaction", spending.txid)).toBeNull();
  expect(ledger.ask("getrawtransaction", last.txid)).toEqual(expect.any(String));
});
