import { type LedgerJson, ledgerJson } from "../json.ts";

/** An answer in JSON. */
export const jsonResponse = (body: LedgerJson, status = 200): Response =>
  new Response(ledgerJson(body), { status, headers: { "content-type": "application/json" } });
