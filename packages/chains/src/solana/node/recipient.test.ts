import { address } from "@solana/kit";
import { getMultisigEncoder, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  type ShownSolanaAccount,
  solanaEntryAt,
} from "../../testing/ledgers/solana-ledger.ts";
import {
  SOL_TRANSFER,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
} from "../../testing/solana-samples.ts";
import { solanaExtension, solanaHoldingData, solanaMintData } from "../../testing/solana-token-data.ts";
import { SOLANA_TOKEN_2022_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import { solanaAddress } from "../rules/address.ts";
import { solanaNode } from "./node.ts";

let ledger: ScriptedSolanaLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openSolanaLedger();
});
beforeEach(() => {
  ledger.node.reset();
  node = solanaNode(solanaEntryAt(ledger.node.url));
});
afterAll(() => ledger.stop());

const judged = async (transfer: SolanaTransfer, account: ShownSolanaAccount | undefined): Promise<string> => {
  if (account !== undefined) ledger.shows(transfer.to, account);
  const answer = await node.judgeRecipient?.(transfer);
  if (answer === undefined || answer.ok) return "ok";
  expect(answer.problem.details["field"]).toBe("to");
  return `${answer.problem.code}: ${answer.problem.message}`;
};

const of = (owner: string, data: Uint8Array = new Uint8Array(0), executable = false): ShownSolanaAccount => ({
  lamports: 1_000_000n,
  owner,
  data,
  executable,
});

const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";
const SOMEBODY = solanaAddress(new Uint8Array(32).fill(9));
const MULTISIG = Uint8Array.from(
  getMultisigEncoder().encode({
    m: 2,
    n: 2,
    isInitialized: true,
    signers: Array.from({ length: 11 }, () => address(SOLANA_SENDER)),
  }),
);
const NONCE = new Uint8Array(80).fill(1);
const SYSTEM = "11111111111111111111111111111111";

describe("a recipient, by what the chain shows of it", () => {
  it.each<[string, ShownSolanaAccount]>([
    ["a program", of(LOADER, new Uint8Array(36), true)],
    ["a program", of(SYSTEM, new Uint8Array(0), true)],
    ["the code of a program", of(LOADER, new Uint8Array(45))],
    ["a token (its mint)", of(SOLANA_TOKEN_PROGRAM, solanaMintData())],
    [
      "a token (its mint)",
      of(SOLANA_TOKEN_2022_PROGRAM, solanaMintData(solanaExtension(9, new Uint8Array(0)))),
    ],
    [
      `an account of the token ${SOLANA_MINT}, whose owner is ${SOMEBODY}`,
      of(SOLANA_TOKEN_PROGRAM, solanaHoldingData(SOMEBODY, 5n)),
    ],
    [
      `an account of the token ${SOLANA_MINT}`,
      of(SOLANA_TOKEN_2022_PROGRAM, solanaHoldingData(SOMEBODY, 0n, 2)),
    ],
    ["an account of a token program", of(SOLANA_TOKEN_PROGRAM, new Uint8Array(165))],
    ["a nonce account", of(SYSTEM, NONCE)],
    ["a vote account", of("Vote111111111111111111111111111111111111111", new Uint8Array(3_762))],
    ["a stake account", of("Stake11111111111111111111111111111111111111", new Uint8Array(200))],
    ["an address lookup table", of("AddressLookupTab1e1111111111111111111111111", new Uint8Array(56))],
    ["a sysvar", of("Sysvar1111111111111111111111111111111111111", new Uint8Array(40))],
    ["a feature of the chain", of("Feature111111111111111111111111111111111111", new Uint8Array(9))],
  ])("is refused for lamports and for tokens: %s", async (words, account) => {
    for (const transfer of [SOL_TRANSFER, SPL_TRANSFER, SPL_2022_TRANSFER]) {
      expect(await judged(transfer, account)).toContain(
        `RecipientUnsuitable: Nobody could use what is sent to ${SOLANA_RECIPIENT}: it is ${words}`,
      );
    }
  });

  it.each<[string, ShownSolanaAccount | undefined]>([
    ["is not there yet", undefined],
    ["has lamports and no data", of(SYSTEM)],
    ["has a lamport too few to stay", { ...of(SYSTEM), lamports: 1n }],
  ])("is taken when it %s", async (_, account) => {
    for (const transfer of [SOL_TRANSFER, SPL_TRANSFER, SPL_2022_TRANSFER]) {
      expect(await judged(transfer, account)).toBe("ok");
    }
  });

  it("is taken when no key can exist of it and nothing stands there, as of a vault of several keys", async () => {
    // not a point of the curve: the sender's associated account for another mint
    const vault = "AwHPPaEkAqUVDrJ3nDmqnFYPvrxSB4AzQnuFS3AXNqGX";
    for (const transfer of [SOL_TRANSFER, SPL_TRANSFER]) {
      expect(await judged({ ...transfer, to: vault }, undefined)).toBe("ok");
      expect(await judged({ ...transfer, to: vault }, of(SYSTEM))).toBe("ok");
    }
  });

  it("may own tokens and take no lamports: an account of somebody's program, and several keys for the same tokens", async () => {
    const own = of(SOMEBODY, new Uint8Array(100));
    expect(await judged(SPL_TRANSFER, own)).toBe("ok");
    expect(await judged(SOL_TRANSFER, own)).toContain(`it is an account of the program ${SOMEBODY}`);
    const keys = of(TOKEN_PROGRAM_ADDRESS, MULTISIG);
    expect(await judged(SPL_TRANSFER, keys)).toBe("ok");
    expect(await judged(SPL_2022_TRANSFER, keys)).toContain("an account of a token program");
    expect(await judged(SOL_TRANSFER, keys)).toContain("an account of a token program");
    expect(await judged(SPL_2022_TRANSFER, of(SOLANA_TOKEN_2022_PROGRAM, MULTISIG))).toBe("ok");
  });

  it("is not judged while the node is away", async () => {
    ledger.node.spoilt.set("getMultipleAccounts", { status: 503, text: "" });
    const answer = await node.judgeRecipient?.(SOL_TRANSFER);
    expect(answer?.ok === false && answer.problem.code).toBe("ServiceUnavailable");
  });
});
