import { tokenIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { type Actor, actionOf, enterKey, makeActor, type Signed } from "../testing/signed-actions.ts";
import { keyFactor, makeClientKey } from "../testing/signers.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";

const FIVE_MINUTES_MS = 300_000;
const request: Signed = { method: "POST", path: "/wallets", body: { network: "EthereumSepolia" } };

let world: World;
let actor: Actor;
beforeAll(async () => {
  world = await startWorld({ userActionsRequired: true });
  actor = makeActor(world);
  await enterKey(world, world.caller, actor.admin);
});
afterAll(() => world.stop());

const signed = async (asked: Signed = request): Promise<string> => {
  const { challenge, challengeIdentifier } = await actor.begin(asked);
  return actionOf(await actor.finish(challengeIdentifier, keyFactor(actor.admin, challenge)));
};
const detailsOf = ({ status, body }: Answer) => {
  const { details } = errorOf(body);
  expect([status, details.code]).toEqual([403, "UserActionInvalid"]);
  return details;
};
const differs = (answer: Answer): unknown => detailsOf(answer)["differs"];
const digest = expect.stringMatching(/^[0-9a-f]{64}$/);

describe("a signed action of one's own says in what the request is another one:", () => {
  it("its method, with both", async () => {
    const action = await signed({ ...request, method: "PUT" });
    expect(differs(await actor.send(request, action))).toEqual([
      { what: "method", signed: "PUT", sent: "POST" },
    ]);
  });

  it("its path, and no more of a long one than is read", async () => {
    const action = await signed({ ...request, path: `/wallets/${"a".repeat(1_000)}` });
    expect(differs(await actor.send(request, action))).toEqual([
      { what: "path", signed: `/wallets/${"a".repeat(247)}`, sent: "/wallets" },
    ]);
  });

  it("its body, by the hashes", async () => {
    const action = await signed({ ...request, body: { network: "Ethereum" } });
    expect(differs(await actor.send(request, action))).toEqual([
      { what: "body", signed: digest, sent: digest },
    ]);
    const broken = await world.call("POST", "/wallets", "{", { "x-dfns-useraction": action });
    expect(differs(broken)).toEqual([{ what: "body", signed: digest, sent: "no JSON" }]);
  });

  it("the token under which it was signed", async () => {
    const tokenId = freshId(tokenIdSchema, "to");
    const token = await world.issue({ ...world.caller, tokenId });
    expect(differs(await actor.send(request, await signed(), token))).toEqual([
      { what: "token", signed: world.caller.tokenId, sent: tokenId },
    ]);
  });

  it("all of these at once", async () => {
    const action = await signed({ method: "DELETE", path: "/webhooks", body: {} });
    expect(differs(await actor.send(request, action))).toMatchObject([
      { what: "method" },
      { what: "path" },
      { what: "body" },
    ]);
  });

  it("the credential that signs no more", async () => {
    const key = makeClientKey();
    await enterKey(world, world.caller, key);
    const { challenge, challengeIdentifier } = await actor.begin(request);
    const action = actionOf(await actor.finish(challengeIdentifier, keyFactor(key, challenge)));
    await world.database.execute("update credentials set is_active = false where id = $1", [key.credId]);
    expect(differs(await actor.send(request, action))).toEqual([{ what: "credential", signed: key.credId }]);
  });

  it("a signature that does not hold, and a header that is not there", async () => {
    const { challengeIdentifier } = await actor.begin(request);
    const forged = await actor.finish(challengeIdentifier, keyFactor(actor.admin, "another"));
    expect(differs(forged)).toEqual([{ what: "signature" }]);
    const { method, path, body } = request;
    expect(detailsOf(await world.call(method, path, body))["missing"]).toBe("x-dfns-useraction");
  });

  it("its expiry", async () => {
    const action = await signed();
    world.advance(FIVE_MINUTES_MS);
    const date = expect.stringMatching(/Z$/);
    expect(differs(await actor.send(request, action))).toEqual([
      { what: "expiry", signed: date, sent: date },
    ]);
  });

  it("and nothing of a colleague's, or of another organisation's (INV-11)", async () => {
    const action = await signed({ ...request, method: "PUT" });
    const { token } = await world.tokenOf(["Wallets:Create"]);
    for (const other of [token, world.strangersToken]) {
      expect(detailsOf(await actor.send(request, action, other))).toEqual({
        code: "UserActionInvalid",
        remedy: expect.any(String),
      });
    }
    expect(Object.keys(detailsOf(await actor.send(request, "a.b.c")))).toEqual(["code", "remedy"]);
  });
});

describe("a challenge that is not good says where it should have come from:", () => {
  const firstFactor = keyFactor(makeClientKey(), "AAAA");
  it.each([
    ["POST /auth/action/init", "/auth/action", "ChallengeInvalid"],
    ["POST /auth/login/init", "/auth/login", "ChallengeInvalid"],
    ["POST /auth/registration/init", "/auth/registration", "TokenInvalid"],
  ])("%s", async (startAgain, path, code) => {
    const { clientData } = firstFactor.credentialAssertion;
    const credentialInfo = { credId: "AAAA", clientData, attestationData: "AAAA" };
    const body =
      path === "/auth/registration"
        ? { firstFactorCredential: { credentialKind: "Key", credentialInfo } }
        : { challengeIdentifier: "a.b.c", firstFactor };
    const { details } = errorOf((await world.call("POST", path, body)).body);
    expect(details).toMatchObject({ code, startAgain });
  });

  it("POST /auth/credentials/init, also to a caller with the challenge of a login", async () => {
    const { orgId } = world.caller;
    const begun = await world.call("POST", "/auth/login/init", { orgId, username: "admin" });
    const { challengeIdentifier } = z.looseObject({ challengeIdentifier: z.string() }).parse(begun.body);
    const { clientData } = firstFactor.credentialAssertion;
    const body = {
      challengeIdentifier,
      credentialName: "another",
      credentialKind: "Key",
      credentialInfo: { credId: "AAAA", clientData, attestationData: "AAAA" },
    };
    const answer = await actor.act({ method: "POST", path: "/auth/credentials", body });
    expect(errorOf(answer.body).details).toMatchObject({
      code: "ChallengeInvalid",
      startAgain: "POST /auth/credentials/init",
    });
  });
});
