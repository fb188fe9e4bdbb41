import { type SignatureId, type SignatureValue, signatureIdSchema } from "@conclave/custody";
import { changeSignature, type Database } from "@conclave/platform";

/** The scripted orchestrator's answer to every request for a signature. */
export const SIGNATURE: SignatureValue = {
  r: `0x${"01".repeat(32)}`,
  s: `0x${"02".repeat(32)}`,
  recid: 1,
  encoded: `0x${"01".repeat(32)}${"02".repeat(32)}1c`,
};

/** Has a request signed, as an orchestrator would. */
export const signScripted = async (database: Database, payload: unknown): Promise<SignatureId> => {
  const id = signatureIdSchema.parse(payload);
  const date = new Date().toISOString();
  await database.transaction(async (connection) => {
    await changeSignature(connection, id, { kind: "Begun" });
    await changeSignature(connection, id, {
      kind: "Signed",
      signature: SIGNATURE,
      signedData: undefined,
      date,
    });
  });
  return id;
};
