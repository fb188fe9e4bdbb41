import { base58, base64 } from "@scure/base";
import type { LedgerJson } from "../../json.ts";
import type { AgaveOutcome } from "../engine/engine.ts";
import { agaveErrorJson } from "../transaction-error.ts";

/** @source Solana documentation, RPC: JSON structures, inner instructions */
export const innerInstructionsJson = (inner: AgaveOutcome["inner"]): LedgerJson =>
  inner.flatMap((instructions, index) =>
    instructions.length === 0
      ? []
      : [
          {
            index,
            instructions: instructions.map(({ program, accounts, data, stackHeight }) => ({
              programIdIndex: program,
              accounts,
              data: base58.encode(data),
              stackHeight,
            })),
          },
        ],
  );

export const returnDataJson = (returned: AgaveOutcome["returned"]): LedgerJson =>
  returned === undefined
    ? null
    : { programId: returned.program, data: [base64.encode(returned.data), "base64"] };

/** The answer of simulateTransaction; also the data of a refusal by preflight. */
export const agaveOutcomeJson = (
  outcome: Omit<AgaveOutcome, "changes">,
  more: { readonly [key: string]: LedgerJson } = {},
): { readonly [key: string]: LedgerJson } => ({
  err: agaveErrorJson(outcome.error),
  logs: outcome.logs,
  accounts: null,
  unitsConsumed: outcome.units,
  innerInstructions: null,
  returnData: returnDataJson(outcome.returned),
  replacementBlockhash: null,
  ...more,
});
