import {
  fail,
  ok,
  type Result,
  type SignatureId,
  type SignatureRequest,
  signatureBodySchema,
  signatureView,
} from "@conclave/custody";
import { listSignatures, readSignature } from "@conclave/platform";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { KEY_SIGNATURE_EXAMPLES, SIGNATURE_EXAMPLES } from "../document/examples/wallets.ts";
import { type PageQuery, pageQuerySchema, readPageOfLarge } from "../http/pagination.ts";
import { demand } from "../http/refused.ts";
import { shownKey } from "../key/visible-key.ts";
import type { Viewer } from "../people/viewer.ts";
import { MAY_SIGN } from "../permission/needs.ts";
import { anyOf } from "../permission/requires.ts";
import { chainErrors, notFoundError } from "../schemas/error.ts";
import {
  keySignatureListSchema,
  keySignatureParams,
  signatureSchema,
  signingKeyParams,
  walletSignatureListSchema,
  walletSignatureParams,
} from "../schemas/signature.ts";
import { walletParams } from "../schemas/wallet.ts";
import { createSignature } from "../signature/create.ts";
import type { SignatureTarget } from "../signature/subject.ts";
import { shownWallet } from "../wallet/visible-wallet.ts";
import { answer, bodyOf, changeErrors, operation } from "./operation.ts";

const mayRead = anyOf("Wallets:ReadSignature", "Keys:Signatures:Read");

const one = answer("The signature", signatureSchema);

const signWithWallet = operation("post", "/wallets/{walletId}/signatures", {
  operationId: "generateSignature",
  summary: "Sign a hash, a message, typed data or a transaction with a wallet",
  needs: [MAY_SIGN],
  request: { params: walletParams, body: bodyOf(signatureBodySchema, SIGNATURE_EXAMPLES) },
  answers: { 200: one, ...changeErrors, ...chainErrors },
});

const listOfWallet = operation("get", "/wallets/{walletId}/signatures", {
  operationId: "listSignatures",
  summary: "List a wallet's signatures, newest first",
  needs: [mayRead],
  request: { params: walletParams, query: pageQuerySchema },
  answers: { 200: answer("One page", walletSignatureListSchema), ...notFoundError },
});

const readOfWallet = operation("get", "/wallets/{walletId}/signatures/{signatureId}", {
  operationId: "getSignature",
  summary: "Read a signature of a wallet",
  needs: [mayRead],
  request: { params: walletSignatureParams },
  answers: { 200: one, ...notFoundError },
});

const signWithKey = operation("post", "/keys/{keyId}/signatures", {
  operationId: "generateKeySignature",
  summary: "Sign a hash, a message, typed data or a transaction with a key",
  needs: [MAY_SIGN],
  request: { params: signingKeyParams, body: bodyOf(signatureBodySchema, KEY_SIGNATURE_EXAMPLES) },
  answers: { 200: one, ...changeErrors, ...chainErrors },
});

const listOfKey = operation("get", "/keys/{keyId}/signatures", {
  operationId: "listKeySignatures",
  summary: "List a key's signatures, those of its wallets included, newest first",
  needs: [mayRead],
  request: { params: signingKeyParams, query: pageQuerySchema },
  answers: { 200: answer("One page", keySignatureListSchema), ...notFoundError },
});

const readOfKey = operation("get", "/keys/{keyId}/signatures/{signatureId}", {
  operationId: "getKeySignature",
  summary: "Read a signature of a key",
  needs: [mayRead],
  request: { params: keySignatureParams },
  answers: { 200: one, ...notFoundError },
});

/** Whether the caller may see the target; an end user sees signatures of its own wallets and keys only. */
const isTargetShown = async ({ database }: Dependencies, caller: Viewer, target: SignatureTarget) => {
  if (caller.isEndUser !== true) return true;
  const shown =
    "walletId" in target
      ? await shownWallet(database, caller, target.walletId)
      : await shownKey(database, caller, target.keyId);
  return shown.ok;
};

/**
 * A signature that the caller may see. One of another organisation, wallet or key and one that does not exist give the
 * same answer (INV-11).
 */
const signatureOf = async (
  dependencies: Dependencies,
  caller: Viewer,
  target: SignatureTarget,
  signatureId: SignatureId,
): Promise<Result<SignatureRequest>> => {
  const found = await readSignature(dependencies.database, signatureId);
  const isOfTarget =
    "walletId" in target ? found?.walletId === target.walletId : found?.keyId === target.keyId;
  return found?.orgId === caller.orgId && isOfTarget && (await isTargetShown(dependencies, caller, target))
    ? ok(found)
    : fail("SignatureNotFound", { signatureId, ...target });
};

const pageFor = async ({ database }: Dependencies, target: SignatureTarget, query: PageQuery) => {
  const { items, next } = await readPageOfLarge(query, {
    read: (page) => listSignatures(database, target, page),
    dateOf: ({ dateRequested }) => dateRequested,
    show: (signatures) => signatures.map(signatureView),
  });
  return { items, ...next };
};

/** Adds the operations on signatures, of wallets and of keys. */
export const addSignatureRoutes = (app: OpenAPIHono<GatewayEnv>, dependencies: Dependencies): void => {
  const { database } = dependencies;
  app.openapi(signWithWallet, async (c) => {
    const target = c.req.valid("param");
    const signature = await createSignature(dependencies, c.get("caller"), target, c.req.valid("json"));
    return c.json(signatureView(demand(signature)), 200);
  });
  app.openapi(listOfWallet, async (c) => {
    const { walletId } = c.req.valid("param");
    const { keyId } = demand(await shownWallet(database, c.get("caller"), walletId));
    return c.json(
      { walletId, keyId, ...(await pageFor(dependencies, { walletId }, c.req.valid("query"))) },
      200,
    );
  });
  app.openapi(readOfWallet, async (c) => {
    const { walletId, signatureId } = c.req.valid("param");
    const signature = await signatureOf(dependencies, c.get("caller"), { walletId }, signatureId);
    return c.json(signatureView(demand(signature)), 200);
  });
  app.openapi(signWithKey, async (c) => {
    const target = c.req.valid("param");
    const signature = await createSignature(dependencies, c.get("caller"), target, c.req.valid("json"));
    return c.json(signatureView(demand(signature)), 200);
  });
  app.openapi(listOfKey, async (c) => {
    const { keyId } = c.req.valid("param");
    demand(await shownKey(database, c.get("caller"), keyId));
    return c.json({ keyId, ...(await pageFor(dependencies, { keyId }, c.req.valid("query"))) }, 200);
  });
  app.openapi(readOfKey, async (c) => {
    const { keyId, signatureId } = c.req.valid("param");
    const signature = await signatureOf(dependencies, c.get("caller"), { keyId }, signatureId);
    return c.json(signatureView(demand(signature)), 200);
  });
};
