import { describe, expect, it } from "vitest";
import { engineOutcome } from "./broadcast.ts";

const ID = "AB".repeat(32);

describe("the engine's result for a transaction that it is handed", () => {
  it.each([
    ["accepted", "tesSUCCESS"],
    ["accepted", "terQUEUED"],
    ["accepted", "tefALREADY"],
    ["accepted", "tecUNFUNDED_PAYMENT"],
    ["accepted", "tecDST_TAG_NEEDED"],
    ["outdated", "tefPAST_SEQ"],
    ["outdated", "tefMAX_LEDGER"],
    ["refused", "terPRE_SEQ"],
    ["refused", "terRETRY"],
    ["refused", "terINSUF_FEE_B"],
    ["refused", "telINSUF_FEE_P"],
    ["refused", "telCAN_NOT_QUEUE"],
    ["refused", "telCAN_NOT_QUEUE_FULL"],
    ["refused", "telCAN_NOT_QUEUE_FEE"],
    ["refused", "tefINTERNAL"],
    ["refused", "tefEXCEPTION"],
    ["refused", "temUNKNOWN"],
    ["refused", "telFAILED_PROCESSING"],
    ["unacceptable", "tefBAD_AUTH"],
    ["unacceptable", "tefMASTER_DISABLED"],
    ["unacceptable", "tefBAD_SIGNATURE"],
    ["unacceptable", "tefNO_TICKET"],
    ["unacceptable", "tefWRONG_PRIOR"],
    ["unacceptable", "temREDUNDANT"],
    ["unacceptable", "temBAD_SIGNATURE"],
    ["unacceptable", "temDISABLED"],
    ["unacceptable", "telWRONG_NETWORK"],
    ["unacceptable", "telREQUIRES_NETWORK_ID"],
    ["unacceptable", "telNETWORK_ID_MAKES_TX_NON_CANONICAL"],
    ["unacceptable", "telBAD_PUBLIC_KEY"],
    ["refused", "something that nobody has heard of"],
  ])("reads as %s: %s", (kind, engine_result) => {
    const sent = { signed: new Uint8Array(), id: ID, lastLedger: 1_050 };
    const outcome = engineOutcome({ engine_result, validated_ledger_index: 1_050 }, sent);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === "refused" || outcome.kind === "unacceptable") {
      expect(outcome.reason).toContain(engine_result);
    }
  });

  it.each(["terPRE_SEQ", "temREDUNDANT", "telINSUF_FEE_P"])(
    "calls a refused transaction outdated once its last ledger has passed, although the node does not say so: %s",
    (engine_result) => {
      const sent = { signed: new Uint8Array(), id: ID, lastLedger: 1_050 };
      expect(engineOutcome({ engine_result, validated_ledger_index: 1_051 }, sent).kind).toBe("outdated");
    },
  );
});
