// A web page that uses the client library and its browser signer. It is bundled for each generation, whose packages replace
// these imports.
import { DfnsApiClient, DfnsAuthenticator, DfnsError } from "@dfns/sdk";
import { WebAuthnSigner } from "dfns-sdk-browser-0-5-8";

/** The page's input from the test that opened it. */
export interface Visit {
  readonly baseUrl: string;
  readonly appId: string;
  readonly orgId: string;
  readonly username: string;
  readonly registrationCode: string;
}

/** Its outcome. */
export interface Visited {
  readonly walletId: string;
  readonly wallets: readonly string[];
  /** the status in the library's own error for a missing resource */
  readonly refused: number | undefined;
}

/** Registers a passkey by an invitation's code, logs in with it, and signs for a wallet with it. */
const visit = async ({ baseUrl, appId, orgId, username, registrationCode }: Visit): Promise<Visited> => {
  const signer = new WebAuthnSigner();
  // current types have no appId, but the bundled generations send it with every request
  const options = { baseUrl, appId, signer };
  const authenticator = new DfnsAuthenticator(options);
  await authenticator.register({ orgId, username, registrationCode });
  const { token } = await authenticator.login({ orgId, username });
  const session = { ...options, authToken: token };
  const client = new DfnsApiClient(session);
  const { id: walletId } = await client.wallets.createWallet({ body: { network: "KeyEdDSA" } });
  const { items } = await client.wallets.listWallets({});
  const error = await client.wallets
    .getWallet({ walletId: "wa-00000-00000-0000000000000000" })
    .catch((cause: unknown) => cause);
  const refused = error instanceof DfnsError ? error.httpStatus : undefined;
  return { walletId, wallets: items.map(({ id }) => id), refused };
};

/** The browser's error on a page whose origin is not configured. */
const ask = (baseUrl: string): Promise<string> =>
  fetch(`${baseUrl}/wallets`, { headers: { authorization: "Bearer token" } }).then(
    ({ status }) => String(status),
    (cause: unknown) => String(cause),
  );

Object.assign(globalThis, { conclave: { visit, ask } });
