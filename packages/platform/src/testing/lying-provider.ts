import { once } from "node:events";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { freePort } from "./free-port.ts";

/** The answer of a token endpoint, by the key whose public half the provider publishes. */
export type LyingAnswer = (provider: {
  readonly issuer: string;
  readonly sign: (claims: JWTPayload, by?: "another key" | "no key") => Promise<string>;
}) => Promise<{ readonly status?: number; readonly body: string }>;

/** A provider whose token endpoint answers whatever a test chooses. */
export interface LyingProvider {
  readonly issuer: string;
  answers(answer: LyingAnswer): void;
  /** Has its metadata differ in these members. */
  names(differing: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

const unsigned = (claims: JWTPayload): string =>
  [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".") +
  ".";

export const startLyingProvider = async (): Promise<LyingProvider> => {
  const [own, another] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const published = { ...(await exportJWK(own.publicKey)), use: "sig", alg: "RS256", kid: "1" };
  const server = createServer();
  const port = await freePort();
  await once(server.listen(port, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${port}`;
  const sign = (claims: JWTPayload, by?: "another key" | "no key"): Promise<string> => {
    if (by === "no key") return Promise.resolve(unsigned(claims));
    const { privateKey } = by === undefined ? own : another;
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(privateKey);
  };
  let answer: LyingAnswer = async () => ({ body: "{}" });
  let differing: Readonly<Record<string, string>> = {};
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ["RS256"],
    authorization_response_iss_parameter_supported: true,
  };
  const bodyAt = async (
    path: string | undefined,
  ): Promise<{ readonly status?: number; readonly body: string }> => {
    if (path === "/keys") return { body: JSON.stringify({ keys: [published] }) };
    if (path === "/token") return answer({ issuer, sign });
    return { body: JSON.stringify({ ...metadata, ...differing }) };
  };
  server.on("request", (request, response) => {
    void bodyAt(request.url).then(({ status = 200, body }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body),
    );
  });
  return {
    issuer,
    answers: (next) => {
      answer = next;
    },
    names: (next) => {
      differing = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
