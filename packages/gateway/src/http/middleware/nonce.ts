import { createHash } from "node:crypto";
import { fail, ok, problem, type Result } from "@conclave/custody";
import { useNonce } from "@conclave/platform";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { readJson } from "../../credential/client-data.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";

const HEADER = "x-dfns-nonce";
const LONGEST = 512;
/** how far a client's clock may be off */
const WINDOW_MS = 300_000;

const schema = z.looseObject({
  uuid: z.string().min(13).max(128),
  date: z.iso.datetime({ offset: true }),
});

/**
 * Accepts each nonce once, from clients that send nonces (wire interface, section B.1). Current clients do not, and
 * none is required.
 */
export const nonce = ({ database, now }: Pick<Dependencies, "database" | "now">) =>
  createMiddleware<GatewayEnv>(async (c, next) => {
    const header = c.req.header(HEADER);
    if (header === undefined || !needsToken(c.req.path)) return next();
    const read = readNonce(header, now());
    if (!read.ok) return renderProblem(c, read.problem);
    const { hash, dateExpires } = read.value;
    const isFresh = await useNonce(database, c.get("caller").orgId, hash, dateExpires);
    return isFresh ? next() : renderProblem(c, problem("NonceReplayed"));
  });

const readNonce = (
  header: string,
  now: Date,
): Result<{ readonly hash: Uint8Array; readonly dateExpires: string }> => {
  const parsed = schema.safeParse(header.length > LONGEST ? undefined : readJson(header));
  if (!parsed.success) return fail("NonceInvalid");
  const sent = Date.parse(parsed.data.date);
  if (Math.abs(now.getTime() - sent) > WINDOW_MS) return fail("NonceInvalid");
  return ok({
    hash: new Uint8Array(createHash("sha256").update(parsed.data.uuid).digest()),
    dateExpires: new Date(sent + WINDOW_MS).toISOString(),
  });
};
