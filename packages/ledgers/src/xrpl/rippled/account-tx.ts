import { z } from "zod";
import type { RippledAddress } from "../address.ts";
import type { RippledLedger, RippledValidated } from "../closed-ledger.ts";
import { completeRanges, ledgerOfIndex, type RippledRange } from "../state.ts";
import { namedAddress } from "./account.ts";
import { answered, failed, type RippledAnswer } from "./answer.ts";
import { chosenLedger, isChoice } from "./ledger-choice.ts";
import type { RippledQuery } from "./request.ts";
import { listedTransaction } from "./transaction-views.ts";

const LIMIT_DEFAULT = 200;
const LIMIT_MAX = 400;
const LIMIT_MIN = 10;

const parametersSchema = z.looseObject({
  ledger_index_min: z.int().default(-1),
  ledger_index_max: z.int().default(-1),
  limit: z.int().min(1).default(LIMIT_DEFAULT),
  forward: z.boolean().default(false),
  binary: z.literal(false).optional(),
  marker: z.object({ ledger: z.int().min(0), seq: z.int().min(0) }).optional(),
});

type Parameters = z.output<typeof parametersSchema>;

const isRange = (range: RippledRange | RippledAnswer): range is RippledRange => "from" in range;

/** The latest contiguous range of ledgers that the node has. */
const searchable = ({ state }: RippledQuery): RippledRange | undefined => completeRanges(state).at(-1);

/** @source rippled, src/xrpld/rpc/handlers/AccountTx.cpp: getLedgerRange */
const chosenRange = (query: RippledQuery, parameters: Parameters): RippledRange | RippledAnswer => {
  const { params, version } = query;
  const known = searchable(query);
  if (known === undefined) return failed("lgrIdxsInvalid");
  if (params["ledger_index"] !== undefined || params["ledger_hash"] !== undefined) {
    const choice = chosenLedger(query);
    if (!isChoice(choice)) return choice;
    return choice.kind === "open"
      ? failed("lgrNotFound")
      : { from: choice.ledger.index, to: choice.ledger.index };
  }
  const { ledger_index_min: min, ledger_index_max: max } = parameters;
  const isOutside = (max > known.to && max !== -1) || (min < known.from && min > 0);
  if (version > 1 && isOutside) return failed("lgrIdxMalformed");
  const from = Math.max(min, known.from);
  const to = max >= 0 && max < known.to ? max : known.to;
  if (from <= to) return { from, to };
  return failed(version === 1 ? "lgrIdxsInvalid" : "invalidLgrRange");
};

interface Listed {
  readonly ledger: RippledLedger;
  readonly validated: RippledValidated;
}

/** Whether a transaction is at the marker or after it, in the order of the listing. */
const isFromMarker = ({ ledger, validated }: Listed, { marker, forward }: Parameters): boolean => {
  if (marker === undefined) return true;
  const order = ledger.index - marker.ledger || validated.index - marker.seq;
  return forward ? order >= 0 : order <= 0;
};

/** An account's transactions in a range, up to one more than a page. */
const search = (
  { state }: RippledQuery,
  address: RippledAddress,
  { from, to }: RippledRange,
  parameters: Parameters & { readonly most: number },
): readonly Listed[] => {
  const { forward, most } = parameters;
  const listed: Listed[] = [];
  for (let step = 0; step <= to - from && listed.length <= most; step += 1) {
    const ledger = ledgerOfIndex(state, forward ? from + step : to - step);
    const own = [...(ledger?.transactions.values() ?? [])].filter(({ affected }) => affected.has(address));
    for (const validated of forward ? own : own.reverse()) {
      const each = ledger === undefined ? undefined : { ledger, validated };
      if (each !== undefined && isFromMarker(each, parameters)) listed.push(each);
    }
  }
  return listed;
};

/** The validated transactions that changed an account, latest first unless `forward`. A marker continues a listing. */
export const accountTx = (query: RippledQuery): RippledAnswer => {
  const address = namedAddress(query);
  if (typeof address !== "string") return address;
  const parsed = parametersSchema.safeParse(query.params);
  if (!parsed.success) return failed("invalidParams", z.prettifyError(parsed.error));
  const range = chosenRange(query, parsed.data);
  if (!isRange(range)) return range;
  const limit = Math.min(Math.max(parsed.data.limit, LIMIT_MIN), LIMIT_MAX);
  const listed = search(query, address, range, { ...parsed.data, most: limit });
  const next = listed[limit];
  return answered({
    account: address,
    ledger_index_min: range.from,
    ledger_index_max: range.to,
    limit,
    marker: next && { ledger: next.ledger.index, seq: next.validated.index },
    transactions: listed
      .slice(0, limit)
      .map(({ ledger, validated }) => listedTransaction(ledger, validated, query.version)),
    validated: true,
  });
};
