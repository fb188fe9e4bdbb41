import type { Act, Result } from "@conclave/custody";
import { expect } from "vitest";
import type { BuiltTransaction, Sequencing, TransactionIntent } from "../../chain.ts";

/** The intent to build an act in the account's next place. @param key of the sender */
export const intentOf = (
  sender: string,
  key: { readonly publicKey: Uint8Array },
  act: Act,
  sequencing: Sequencing = { kind: "next", lowest: 0n },
): TransactionIntent => ({ sender, keys: [key.publicKey], act, priority: undefined, sequencing });

/** Wraps a builder for tests: `draftOf` decodes its bytes, and `said` shows its refusal in words. */
export const outcomesOf = <Given extends readonly unknown[], Draft>(
  build: (...given: Given) => Result<BuiltTransaction>,
  decode: (unsigned: Uint8Array) => Result<Draft>,
) => ({
  draftOf: (...given: Given): Draft => {
    const made = build(...given);
    if (!made.ok) expect.fail(made.problem.message);
    const decoded = decode(made.value.unsigned);
    return decoded.ok ? decoded.value : expect.fail(decoded.problem.message);
  },
  said: (...given: Given): string => {
    const made = build(...given);
    return made.ok ? "built" : `${made.problem.code}: ${made.problem.message}`;
  },
});
