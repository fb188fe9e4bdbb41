import type { EditedFile } from "../edit.ts";

const ORCHESTRATOR = "packages/orchestrator/src";
const SIGNER = "packages/signer/src";

const parts = [`${ORCHESTRATOR}/sign-in-parts.test.ts`];

const SIGN_IN_PARTS: EditedFile = {
  path: `${ORCHESTRATOR}/sign-in-parts.ts`,
  tests: parts,
  edits: [
    {
      weakens: "a session signs no more than its bound",
      find: "Math.min(signables.length, SIGNABLES_PER_SESSION_MAX)",
      put: "signables.length",
    },
    {
      weakens: "a session without presignatures signs four of ECDSA",
      find: "const INTERACTIVE_MAX = 4;",
      put: "const INTERACTIVE_MAX = 8;",
    },
    {
      weakens: "a session signs as many as there are presignatures",
      find: "Math.min(most, pooled > 0 ? pooled : INTERACTIVE_MAX)",
      put: "most",
    },
    {
      weakens: "presignatures count that are of one set of signers",
      find: "Math.max(0, ...counts.values())",
      put: "presignatures.length",
    },
    {
      weakens: "a part has one signature for each signable",
      find: "      signatures.length === signables.length &&\n",
      put: "",
    },
    {
      weakens: "each signature of a part is checked",
      find: "request.isOneSigned(signable, signature)",
      put: "true",
    },
    {
      weakens: "parts that are signed are kept",
      find: "    parts.keep(request, [...signatures]);\n",
      put: "",
    },
    {
      weakens: "the next call goes on behind what is kept",
      find: "[...parts.of(request)]",
      put: "[]",
    },
    {
      weakens: "what is signed whole is forgotten",
      find: "      parts.forget(request);\n",
      put: "",
    },
  ],
};

const SIGNED_PARTS: EditedFile = {
  path: `${ORCHESTRATOR}/signed-parts.ts`,
  tests: parts,
  edits: [
    {
      weakens: "parts are of one key",
      find: "JSON.stringify([keyId, unsigned.length])",
      put: "JSON.stringify([unsigned.length])",
    },
    {
      weakens: "the length of the bytes tells them from what follows",
      find: "JSON.stringify([keyId, unsigned.length])",
      put: "JSON.stringify([keyId])",
    },
    { weakens: "parts are of the same bytes", find: "    .update(unsigned);", put: "    ;" },
    {
      weakens: "parts are of the same schemes",
      find: "JSON.stringify([scheme, bytes.length])",
      put: "JSON.stringify([bytes.length])",
    },
    {
      weakens: "the length of a signable tells it from the next",
      find: "JSON.stringify([scheme, bytes.length])",
      put: "JSON.stringify([scheme])",
    },
    {
      weakens: "parts are of the same signables",
      find: "hash.update(JSON.stringify([scheme, bytes.length])).update(bytes);",
      put: "hash.update(JSON.stringify([scheme, bytes.length]));",
    },
    {
      weakens: "parts are kept for a time",
      find: "kept !== undefined && this.#monotonicMs() < kept.untilMs",
      put: "kept !== undefined",
    },
    {
      weakens: "parts are kept for two ages of an authorisation",
      find: "2 * AUTHORISATION_AGE_MS_MAX",
      put: "AUTHORISATION_AGE_MS_MAX",
    },
    {
      weakens: "the newest part begins the time anew",
      find: "this.#monotonicMs() + KEPT_MS",
      put: "(this.#kept.size === 0 ? KEPT_MS : this.#monotonicMs() + KEPT_MS)",
    },
    { weakens: "parts of so many requests are kept", find: "REQUESTS_MAX = 64", put: "REQUESTS_MAX = 65" },
    {
      weakens: "the oldest parts give way",
      find: "    this.#kept.delete(digest);\n    this.#kept.set(",
      put: "    this.#kept.set(",
    },
  ],
};

const KEPT_READINGS: EditedFile = {
  path: `${SIGNER}/kept-readings.ts`,
  tests: [`${SIGNER}/kept-readings.test.ts`],
  edits: [
    {
      weakens: "a reading is of one network",
      find: "[network, act, sha256(unsigned)]",
      put: "[act, sha256(unsigned)]",
    },
    {
      weakens: "a reading is of one act",
      find: "[network, act, sha256(unsigned)]",
      put: "[network, sha256(unsigned)]",
    },
    {
      weakens: "a reading is of the same bytes",
      find: "[network, act, sha256(unsigned)]",
      put: "[network, act, unsigned.length]",
    },
    {
      weakens: "small transactions take no place",
      find: "KEPT_FROM_BYTES = 16 * 1024",
      put: "KEPT_FROM_BYTES = 0",
    },
    { weakens: "few readings are kept", find: "READINGS_MAX = 2;", put: "READINGS_MAX = 3;" },
  ],
};

/** Signing in several sessions: which part is whose. */
export const SIGNING_IN_PARTS_EDITS: readonly EditedFile[] = [SIGN_IN_PARTS, SIGNED_PARTS, KEPT_READINGS];
