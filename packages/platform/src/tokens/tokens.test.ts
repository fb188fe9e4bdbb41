import { createHmac, generateKeyPairSync } from "node:crypto";
import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { freshId } from "../fresh-id.ts";
import { issueToken, makeTokenVerifier } from "./index.ts";

const own = generateKeyPairSync("ed25519");
const foreign = generateKeyPairSync("ed25519");
const issuedAt = new Date("2026-01-01T00:00:00Z");
const caller = {
  orgId: freshId(organisationIdSchema, "or"),
  userId: freshId(userIdSchema, "us"),
  tokenKind: "Pat",
  tokenId: freshId(tokenIdSchema, "to"),
} as const;
const request = { clusterId: "test", caller, username: "dev", issuedAt, lifetimeSeconds: 60 };

const verdict = async (token: string, secondsLater = 1) => {
  const now = () => new Date(issuedAt.getTime() + secondsLater * 1_000);
  const verified = await makeTokenVerifier({ key: own.publicKey, clusterId: "test", now })(token);
  return verified.ok ? verified.value : verified.problem.code;
};
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a bearer token", () => {
  it("says who the caller is", async () => {
    expect(await verdict(await issueToken(own.privateKey, request))).toEqual(caller);
  });

  it("carries the claim that client libraries read, with the organisation's id", async () => {
    const [, payload = ""] = (await issueToken(own.privateKey, request)).split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString("utf8"))).toMatchObject({
      sub: caller.orgId,
      "https://custom/username": "dev",
      "https://custom/app_metadata": caller,
    });
  });

  it("counts until its last second and then has expired", async () => {
    const token = await issueToken(own.privateKey, request);
    expect([await verdict(token, 59), await verdict(token, 60)]).toEqual([caller, "TokenExpired"]);
  });

  it("of a foreign key is refused", async () => {
    expect(await verdict(await issueToken(foreign.privateKey, request))).toBe("TokenInvalid");
  });

  it("of another cluster is refused", async () => {
    expect(await verdict(await issueToken(own.privateKey, { ...request, clusterId: "other" }))).toBe(
      "TokenInvalid",
    );
  });

  it("with another payload is refused", async () => {
    const [header, payload = "", signature] = (await issueToken(own.privateKey, request)).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    claims["https://custom/app_metadata"].orgId = freshId(organisationIdSchema, "or");
    expect(await verdict(`${header}.${part(claims)}.${signature}`)).toBe("TokenInvalid");
  });

  it("without a signature (alg none) is refused", async () => {
    const [, payload] = (await issueToken(own.privateKey, request)).split(".");
    expect(await verdict(`${part({ alg: "none" })}.${payload}.`)).toBe("TokenInvalid");
  });

  it("signed with the public key as an HMAC secret is refused", async () => {
    const [, payload] = (await issueToken(own.privateKey, request)).split(".");
    const signed = `${part({ alg: "HS256" })}.${payload}`;
    const secret = own.publicKey.export({ type: "spki", format: "pem" });
    expect(
      await verdict(`${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`),
    ).toBe("TokenInvalid");
  });

  it.each(["", ".", "..", "a.b.c", "Bearer"])("spelled %j is refused", async (token) => {
    expect(await verdict(token)).toBe("TokenInvalid");
  });
});
