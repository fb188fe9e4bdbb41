import { createHash } from "node:crypto";
import { z } from "zod";
import type { FrontAnswer, FrontRequest, FrontRules } from "../front.ts";

const BROADCAST = "/wallet/broadcasthex";
const handedSchema = z.object({ transaction: z.string() });

const CONTINUED = 0x80;

/** The id of a signed transaction: the hash of its first field, raw_data, whose length is a varint (protobuf). */
const idOf = (signed: string): string => {
  const bytes = Buffer.from(signed, "hex");
  let [length, at, shift] = [0, 1, 0];
  for (;;) {
    const byte = bytes[at] ?? 0;
    length += (byte % CONTINUED) * 2 ** shift;
    [at, shift] = [at + 1, shift + 7];
    if (byte < CONTINUED) break;
  }
  return createHash("sha256")
    .update(bytes.subarray(at, at + length))
    .digest("hex");
};

const said = (body: object): FrontAnswer => ({ status: 200, body: JSON.stringify(body) });

const handedIn = ({ path, body }: FrontRequest): string | undefined => {
  if (path !== BROADCAST) return undefined;
  const handed = handedSchema.safeParse(JSON.parse(Buffer.from(body).toString()));
  return handed.data?.transaction;
};

/** java-tron: `broadcasthex`. A refusal has a code, and a message in hex. */
export const TRON_RULES: FrontRules = {
  broadcastIn: handedIn,
  taken: async (_request, signed) => said({ result: true, txid: idOf(signed) }),
  refused: (request, words) => {
    const [code = "", message = ""] = words.split(": ");
    const txid = idOf(handedIn(request) ?? "");
    return said({ code, txid, message: Buffer.from(message).toString("hex") });
  },
};
