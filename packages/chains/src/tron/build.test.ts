import { hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import type { TransactionIntent } from "../chain.ts";
import { intentOf, outcomesOf } from "../exact-bytes/testing/built.ts";
import {
  authorisedTron,
  authorisedTronBytes,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_DRAFT,
  TRON_KEY,
  TRON_NILE,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
} from "../testing/tron-samples.ts";
import { TRON_FAMILY } from "./family.ts";
import { tronContractOf } from "./plan.ts";
import { tagIn, tronTagOf } from "./request-tag.ts";
import type { TronSituation } from "./situation.ts";
import { decodeTron, encodeTron, type TronDraft } from "./transaction.ts";

const HEAD_MS = 1_800_000_000_000n;
const SENDER = {
  balance: 100_000_000n,
  freeBandwidth: 600n,
  stakedBandwidth: 0n,
  energy: 0n,
  isOwn: true,
};
const AROUND: TronSituation = {
  genesisBlock: TRON_NILE.genesisBlock,
  solid: { height: 0x5a1234n, id: `00000000005a1234${"0102030405060708"}${"ff".repeat(16)}` },
  headTimeMs: HEAD_MS,
  prices: {
    bandwidth: 1_000n,
    energy: 100n,
    newAccount: 1_000_000n,
    newAccountBandwidth: 100_000n,
    feeLimitMax: 15_000_000_000n,
    paysContracts: false,
  },
  sender: SENDER,
  recipient: { exists: true, isContract: false },
  held: 5_000_000n,
  call: { kind: "passed", energy: 65_000n },
};
const ACT = authorisedTron(TRX_TRANSFER);
const TRC10_ACT = authorisedTron(TRC10_TRANSFER);
const TRC20_ACT = authorisedTron(TRC20_TRANSFER);
const TRC721_ACT = authorisedTron(TRC721_TRANSFER);

const built = (act: TransactionIntent["act"], change: Partial<TronSituation> = {}) =>
  TRON_FAMILY.build(TRON_NILE, { ...AROUND, ...change }, intentOf(TRON_SENDER, TRON_KEY, act));

const { draftOf, said } = outcomesOf(built, decodeTron);
const feeOf = (...given: Parameters<typeof built>): string => {
  const made = built(...given);
  return made.ok ? String(made.value.details["fee"]) : expect.fail(made.problem.message);
};

describe("building a transfer", () => {
  it("writes the contract, refers to the solid block, and lets minutes pass", () => {
    const draft = draftOf(ACT);
    expect(draft).toMatchObject({
      refBlockBytes: hexToBytes("1234"),
      refBlockHash: hexToBytes("0102030405060708"),
      feeLimit: 0n,
      contract: tronContractOf(TRX_TRANSFER),
    });
    expect(tagIn(draft)).toEqual(tronTagOf(ACT.requestId));
    const lifetime = draft.expirationMs - HEAD_MS;
    expect([lifetime > 230_000n, lifetime < 370_000n]).toEqual([true, true]);
    const since = draft.timestampMs - HEAD_MS;
    expect([since > -(2n ** 24n), since < 2n ** 24n]).toEqual([true, true]);
  });

  it("INV-4 writes other bytes for every request, of the same moment and the same transfer", () => {
    const ids = Array.from({ length: 50 }, (_, at) => `xfr-aaaaa-bbbbb-${at.toString().padStart(15, "c")}`);
    const written = ids.map((requestId) => {
      const made = built(authorisedTron(TRX_TRANSFER, { requestId }));
      return made.ok ? Buffer.from(made.value.unsigned).toString("hex") : expect.fail(made.problem.message);
    });
    expect(new Set(written).size).toBe(ids.length);
  });

  it("INV-3 writes what signers read, whatever the clock says", () => {
    for (const act of [ACT, TRC10_ACT, TRC20_ACT, TRC721_ACT]) {
      for (const headTimeMs of [HEAD_MS, HEAD_MS + 2n ** 23n, HEAD_MS + 2n ** 24n - 1n, 1_900_000_000_001n]) {
        const made = built(act, { headTimeMs });
        const { unsigned } = made.ok ? made.value : expect.fail(made.problem.message);
        expect(TRON_FAMILY.read(TRON_NILE, unsigned, act).ok).toBe(true);
      }
    }
  });

  it("allows a call a fifth more energy than it took when it was tried", () => {
    expect(draftOf(TRC20_ACT)).toMatchObject({
      feeLimit: 7_800_000n,
      contract: { type: "TriggerSmartContract", contract: TRON_TOKEN },
    });
    expect(draftOf(TRC721_ACT).feeLimit).toBe(7_800_000n);
    const dear = { ...AROUND.prices, energy: 420n };
    expect(draftOf(TRC20_ACT, { prices: dear }).feeLimit).toBe(32_760_000n);
  });

  it("waits while its node is of another chain", () => {
    expect(said(ACT, { genesisBlock: "00".repeat(32) })).toContain("ServiceUnavailable");
  });
});

describe("the expected cost of a transfer", () => {
  it("is nothing as long as bandwidth is free or staked, and by the byte once neither is enough", () => {
    expect(feeOf(ACT)).toBe("0");
    expect(feeOf(ACT, { sender: { ...SENDER, freeBandwidth: 0n, stakedBandwidth: 600n } })).toBe("0");
    // free and staked bandwidth do not add up: one alone must be enough
    const bytes = feeOf(ACT, { sender: { ...SENDER, freeBandwidth: 200n, stakedBandwidth: 200n } });
    expect([Number(bytes) > 250_000, Number(bytes) < 300_000]).toEqual([true, true]);
  });

  it("is a new account's price where the recipient has none, of TRX and of TRC-10 tokens", () => {
    const recipient = { exists: false, isContract: false };
    expect([feeOf(ACT, { recipient }), feeOf(TRC10_ACT, { recipient })]).toEqual(["1100000", "1100000"]);
    expect(feeOf(TRC20_ACT, { recipient })).toBe("6500000");
  });

  it("is the energy that is not staked", () => {
    expect(feeOf(TRC20_ACT)).toBe("6500000");
    expect(feeOf(TRC20_ACT, { sender: { ...SENDER, energy: 60_000n } })).toBe("500000");
    expect(feeOf(TRC20_ACT, { sender: { ...SENDER, energy: 70_000n } })).toBe("0");
  });

  it("INV-3 is never above the network's cap, nor above the chain's", () => {
    expect(said(TRC20_ACT, { call: { kind: "passed", energy: 900_000n } })).toContain("FeeAboveCap");
    const prices = { ...AROUND.prices, feeLimitMax: 7_000_000n };
    expect(said(TRC20_ACT, { prices })).toBe(
      "FeeAboveCap: the fee limit of 7800000 sun is above what the chain takes at most (getMaxFeeLimit), of 7000000 sun",
    );
    // burnt bandwidth does not count towards the chain's fee limit
    const just = { ...AROUND.prices, feeLimitMax: 7_800_000n };
    const sender = { ...SENDER, freeBandwidth: 0n, stakedBandwidth: 0n };
    expect(said(TRC20_ACT, { prices: just, sender })).toBe("built");
  });
});

describe("a refusal of the chain is said before anything is signed", () => {
  const poor = (balance: bigint) => ({ sender: { ...SENDER, balance } });

  it.each<[string, Parameters<typeof built>]>([
    ["insufficient funds: 1500000 sun", [ACT, poor(1_499_999n)]],
    [
      "insufficient funds: 2600000 sun (amount, and fees of 1100000, with those for the recipient's new account)",
      [ACT, { ...poor(2_599_999n), recipient: { exists: false, isContract: false } }],
    ],
    [
      "RecipientCannotReceive: the recipient is a contract, and the chain takes no payment",
      [ACT, { recipient: { exists: true, isContract: true } }],
    ],
    [
      "RecipientCannotReceive: the recipient is a contract",
      [TRC10_ACT, { recipient: { exists: true, isContract: true } }],
    ],
    [
      "TransactionInvalid: the authority over the wallet's account",
      [ACT, { sender: { ...SENDER, isOwn: false } }],
    ],
    ["insufficient funds: 2500000 units of the token 1002000", [TRC10_ACT, { held: 2_499_999n }]],
    ["insufficient funds: 2500000 units of the token TR7N", [TRC20_ACT, { held: 2_499_999n }]],
    ["insufficient funds: 2500000 units of the token TR7N", [TRC20_ACT, { held: undefined }]],
    ["insufficient funds: the wallet does not own the token 7", [TRC721_ACT, { held: 0n }]],
    ["insufficient funds: 6500000 sun", [TRC20_ACT, poor(6_499_999n)]],
    ["ExecutionReverted: there is no contract at TR7N", [TRC20_ACT, { call: { kind: "no contract" } }]],
    [
      "ExecutionReverted: the contract refuses the call: paused",
      [TRC20_ACT, { call: { kind: "refused", why: "paused" } }],
    ],
  ])("%s", (words, given) => {
    expect(said(...given)).toContain(words);
  });

  it("and a transfer that just meets the chain's rules is built", () => {
    const recipient = { exists: true, isContract: true };
    const prices = { ...AROUND.prices, paysContracts: true };
    expect([said(ACT, { recipient, prices }), said(TRC10_ACT, { recipient, prices })]).toEqual([
      "built",
      "built",
    ]);
    expect(said(TRC20_ACT, { recipient: { exists: true, isContract: true } })).toBe("built");
    expect(said(ACT, poor(1_500_000n))).toBe("built");
    expect(said(TRC20_ACT, poor(6_500_000n))).toBe("built");
    expect(said(TRC10_ACT, { held: 2_500_000n })).toBe("built");
  });
});

describe("building from a caller's own bytes", () => {
  const given = (change: Partial<TronDraft> = {}) =>
    authorisedTronBytes(encodeTron({ ...TRON_DRAFT, expirationMs: HEAD_MS + 60_000n, ...change }));

  it("leaves them as they are", () => {
    const act = given();
    const made = built(act);
    const { unsigned } = made.ok ? made.value : expect.fail(made.problem.message);
    expect(Buffer.from(unsigned).toString("hex")).toBe(act.transaction["unsigned"]);
  });

  it("refuses those that can land no more, or not yet, and a limit that is too low", () => {
    expect(said(given({ expirationMs: HEAD_MS }))).toContain("expiration is over");
    // the next block comes three seconds later, and refuses a transaction that expires before it
    expect(said(given({ expirationMs: HEAD_MS + 2_999n }))).toContain("expiration is over");
    expect(said(given({ expirationMs: HEAD_MS + 3_000n }))).toBe("built");
    expect(said(given({ expirationMs: HEAD_MS + 86_400_001n }))).toContain("expiration is too far away");
    const contract = tronContractOf(TRC20_TRANSFER);
    expect(said(given({ contract, feeLimit: 6_499_999n }))).toContain("fee_limit is too low");
    expect(said(given({ contract, feeLimit: 6_500_000n }))).toBe("built");
  });
});
