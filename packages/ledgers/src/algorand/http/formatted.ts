import { jsonResponse } from "../../http/json-response.ts";
import { valueJson } from "../algod/value-json.ts";
import { encodeCanonical, type MsgpackMap } from "../msgpack.ts";
import { algodError } from "./algod-error.ts";

/**
 * Encodes an answer in the format that the query asks for.
 * @param format "msgpack", which the SDK asks for, or "json", which is the default
 * @source go-algorand, daemon/algod/api/server/v2/utils.go: getCodecHandle
 */
export const formattedResponse = (format: string | undefined, body: MsgpackMap): Response => {
  switch (format?.toLowerCase() ?? "json") {
    case "json":
      return jsonResponse(valueJson("", body));
    case "msgpack":
    case "msgp":
      return new Response(Uint8Array.from(encodeCanonical(body)), {
        headers: { "content-type": "application/msgpack" },
      });
    default:
      return algodError("format");
  }
};
