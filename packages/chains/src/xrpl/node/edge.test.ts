import { type FamilyContent, networkSchema } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decode, isValidClassicAddress, Wallet } from "xrpl";
import type { ChainNode, TransactionIntent } from "../../chain.ts";
import { openAgedXrpLedger, type ScriptedXrpLedger } from "../../testing/ledgers/xrp-ledger.ts";
import {
  authorisedXrpl,
  authorisedXrplBytes,
  withXrplSignature,
  XRP_TRANSFER,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
  xrplBytes,
} from "../../testing/xrpl-samples.ts";
import { xrplAddressOf } from "../rules/address.ts";
import { XRPL_RULES } from "../rules/rules.ts";
import { xrplNode } from "./node.ts";

let rippled: ScriptedXrpLedger;
let node: ChainNode;
beforeAll(async () => {
  rippled = await openAgedXrpLedger();
});
beforeEach(() => {
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.node.url });
  rippled.node.reset();
});
afterAll(() => rippled.stop());

const OWN_BYTES = authorisedXrplBytes(Buffer.from(xrplBytes().slice(2), "hex"));
const intent = (act: TransactionIntent["act"] = authorisedXrpl(XRP_TRANSFER)): TransactionIntent => ({
  sender: XRPL_SENDER,
  keys: [XRPL_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});
const said = async (act?: TransactionIntent["act"]): Promise<string> => {
  const built = await node.build(intent(act));
  return built.ok ? "built" : `${built.problem.code}: ${built.problem.message}`;
};

describe("a transaction is tried before it is signed", () => {
  it.each([
    ["a transfer", undefined],
    ["a caller's own bytes", OWN_BYTES],
  ] as const)("with exactly those bytes: %s", async (_, act) => {
    const built = await node.build(intent(act));
    if (!built.ok) expect.fail(built.problem.message);
    const tried = rippled.calls("simulate")[0];
    const hex = bytesToHex(built.value.unsigned).toUpperCase();
    expect(tried?.params).toMatchObject({ tx_blob: hex, binary: false });
    expect(decode(hex)["TxnSignature"]).toBeUndefined();
  });

  it.each([
    "tecUNFUNDED_PAYMENT",
    "tecNO_DST_INSUF_XRP",
    "tecDST_TAG_NEEDED",
    "tecNO_PERMISSION",
    "tecFROZEN",
    "tecPSEUDO_ACCOUNT",
    "tefBAD_AUTH",
    "tefMASTER_DISABLED",
    "temDISABLED",
    "temDST_NEEDED",
    "telWRONG_NETWORK",
    "telREQUIRES_NETWORK_ID",
  ])("and nothing is signed that the ledger refuses, or takes the fee for: %s", async (engine_result) => {
    rippled.says("simulate", { engine_result, engine_result_message: "words of the engine" });
    expect(await said()).toBe(
      `ExecutionReverted: the ledger refuses the transaction, tried as it would be signed: ${engine_result}: words of the engine`,
    );
  });

  it.each(["tesSUCCESS", "terPRE_SEQ", "terRETRY", "telINSUF_FEE_P", "tefMAX_LEDGER", "tefINTERNAL", "news"])(
    "and %s refuses nothing: it is temporary or unknown",
    async (engine_result) => {
      rippled.says("simulate", { engine_result });
      expect(await said()).toBe("built");
    },
  );

  it.each(["tefPAST_SEQ", "tefALREADY"])("INV-4 concludes nothing from %s", async (engine_result) => {
    rippled.says("simulate", { engine_result });
    expect(await said()).toContain("ServiceUnavailable");
  });

  it.each([
    ["unknownCmd", "built"],
    ["notSupported", "built"],
    ["tooBusy", "ServiceUnavailable"],
    ["noNetwork", "ServiceUnavailable"],
    ["amendmentBlocked", "ServiceUnavailable"],
    ["invalidTransaction", "ExecutionReverted"],
  ])("and a server that answers %s: %s", async (error, outcome) => {
    rippled.node.spoilt.set("simulate", {
      status: 200,
      text: JSON.stringify({ result: { status: "error", error, error_message: "words" } }),
    });
    expect(await said()).toContain(outcome);
  });

  it("and an answer that cannot be read is none", async () => {
    rippled.says("simulate", { applied: false });
    expect(await said()).toContain("ServiceUnavailable");
  });
});

describe("a recipient", () => {
  const { tag: _, ...untagged } = XRP_TRANSFER;
  const judge = async (content: FamilyContent): Promise<string> => {
    const result = await node.judgeRecipient?.(content);
    return result?.ok === false ? `${result.problem.code} ${result.problem.details["why"]}` : "suitable";
  };
  const judged = async (account: object, change: object = {}, more: object = {}): Promise<string> => {
    rippled.shows(XRPL_RECIPIENT, { Balance: "50000000", ...account }, more);
    return judge({ ...untagged, ...change });
  };
  const [REQUIRE_TAG, DISALLOW, DISABLED, DEPOSIT] = [0x0002_0000, 0x0008_0000, 0x0010_0000, 0x0100_0000];
  const ACCOUNT_ONE = "rrrrrrrrrrrrrrrrrrrrBZbvji";

  it("is suitable when nothing speaks against it, or when nobody has paid to it", async () => {
    expect(await judged({})).toBe("suitable");
    rippled.node.reset();
    expect(await judge({ ...XRP_TRANSFER, to: XRPL_EDWARDS_SENDER })).toBe("suitable");
  });

  it("wants its tag", async () => {
    expect(await judged({ Flags: REQUIRE_TAG })).toBe("RecipientUnsuitable tag-required");
    expect(await judged({ Flags: REQUIRE_TAG }, { tag: 0 })).toBe("suitable");
  });

  it("wants no XRP", async () => {
    expect(await judged({ Flags: DISALLOW })).toBe("RecipientUnsuitable disallows-xrp");
  });

  it("takes payments of those alone that it has authorised, but for help to one that is out of money", async () => {
    rippled.says("deposit_authorized", { deposit_authorized: false });
    expect(await judged({ Flags: DEPOSIT })).toBe("RecipientUnsuitable deposit-authorisation");
    expect(await judged({ Flags: DEPOSIT, Balance: "1000000" }, { amount: "1000000" })).toBe("suitable");
    rippled.says("deposit_authorized", { deposit_authorized: true });
    expect(await judged({ Flags: DEPOSIT })).toBe("suitable");
  });

  it.each([
    ["no regular key", {}],
    ["account zero", { RegularKey: "rrrrrrrrrrrrrrrrrrrrrhoLvTp" }],
    ["account one", { RegularKey: ACCOUNT_ONE }],
    ["the name account", { RegularKey: "rrrrrrrrrrrrrrrrrNAMEtxvNvQ" }],
    ["no number", { RegularKey: "rrrrrrrrrrrrrrrrrrrn5RM1rHd" }],
  ])("is a black hole when its own key is disabled and the other one is nobody's: %s", async (_, key) => {
    expect(await judged({ Flags: DISABLED, ...key })).toBe("RecipientUnsuitable black-hole");
    expect(await judged({ Flags: DISABLED, ...key }, {}, { signer_lists: [{}] })).toBe("suitable");
    expect(await judged(key)).toBe("suitable");
    expect(await judged({ Flags: DISABLED, RegularKey: XRPL_SENDER })).toBe("suitable");
  });

  it.each(["AMMID", "VaultID", "LoanBrokerID"])("is no account of the ledger itself (%s)", async (name) => {
    expect(await judged({ [name]: "AB".repeat(32) })).toBe("RecipientUnsuitable pseudo-account");
  });

  it("is not judged while the node is away", async () => {
    rippled.node.spoilt.set("account_info", { status: 503, text: "" });
    expect(await judge(untagged)).toContain("ServiceUnavailable");
  });

  it("that is special is unsuitable without a node", () => {
    const network = networkSchema.parse(XRPL_TESTNET.network);
    const everybodys = Wallet.fromSeed("snoPBrXtMeMyMHUVTgbuqAfg1SUTb").address;
    for (const to of ["rrrrrrrrrrrrrrrrrNAMEtxvNvQ", "rrrrrrrrrrrrrrrrrrrn5RM1rHd", everybodys]) {
      expect(isValidClassicAddress(to)).toBe(true);
      const result = XRPL_RULES.judgeRecipient?.(network, { ...XRP_TRANSFER, to });
      expect(result?.ok === false && result.problem.code).toBe("RecipientUnsuitable");
    }
    const other = xrplAddressOf(new Uint8Array(20).fill(7));
    expect(XRPL_RULES.judgeRecipient?.(network, { ...XRP_TRANSFER, to: other })?.ok).toBe(true);
  });
});

describe("a node that says that it took a transaction, and forwards nothing", () => {
  it("cannot hold it: past its last ledger it is dead by validated ledgers alone, whatever the node shows", async () => {
    const built = await node.build(intent());
    if (!built.ok) expect.fail(built.problem.message);
    const { unsigned, signed, txHash, lastLedger } = withXrplSignature(built.value.unsigned);
    const tx_json = { Fee: "12", LastLedgerSequence: lastLedger };
    rippled.says("tx", { hash: txHash, tx_json, validated: false });
    rippled.says("submit", { engine_result: "tesSUCCESS", validated_ledger_index: lastLedger });
    const fate = async () => {
      const reported = await node.fateOf(XRPL_SENDER, [{ unsigned, signed }]);
      return reported.ok ? reported.value.kind : reported.problem.code;
    };
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    await rippled.mine(50);
    expect(await fate()).toBe("open");
    await rippled.mine();
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
    expect(await fate()).toBe("dead");
  });
});
