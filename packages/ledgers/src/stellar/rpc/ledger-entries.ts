import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { stellarEntryIn } from "../books.ts";
import { fromBase64, toBase64 } from "../horizon/format.ts";
import { type HorizonState, latestLedger } from "../state.ts";
import { decodeXdr, encodeXdr } from "../xdr/codec.ts";
import { xdrLedgerEntryData } from "../xdr/ledger-entry.ts";
import { xdrLedgerKey } from "../xdr/ledger-key.ts";
import { type RpcAnswer, rpcResult, wrongParameters } from "./answer.ts";

const MOST_KEYS = 200;
const KEY_CHARACTERS_MAX = 2_000;
/** This ledger archives nothing, so contract data never expires. */
const LEDGERS_TO_LIVE = 1_000_000;

const schema = z.object({ keys: z.array(z.string().max(KEY_CHARACTERS_MAX)).min(1).max(MOST_KEYS) });

export const ledgerEntriesAnswer = (state: HorizonState, parameters: unknown): RpcAnswer => {
  const parsed = schema.safeParse(parameters);
  if (!parsed.success) return wrongParameters(z.prettifyError(parsed.error));
  const latest = latestLedger(state).header.sequence;
  const entries: LedgerJson[] = [];
  for (const text of parsed.data.keys) {
    const bytes = fromBase64(text);
    const key = bytes === undefined ? undefined : decodeXdr(xdrLedgerKey, bytes);
    if (key === undefined || !key.ok) {
      return wrongParameters(`cannot unmarshal key value ${text}: ${key?.message ?? "it is no base64"}`);
    }
    const entry = stellarEntryIn(state.books, key.value);
    if (entry === undefined) continue;
    entries.push({
      key: text,
      xdr: toBase64(encodeXdr(xdrLedgerEntryData, entry.data)),
      lastModifiedLedgerSeq: entry.modifiedIn,
      ...(entry.data.type === "contractData" && { liveUntilLedgerSeq: latest + LEDGERS_TO_LIVE }),
    });
  }
  return rpcResult({ entries, latestLedger: latest });
};
