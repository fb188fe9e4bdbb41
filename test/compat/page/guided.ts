import type { Cluster } from "@conclave/testbed";
import { DfnsApiClient } from "dfns-sdk-0-8-21";
import { ClientCredential } from "../client-credential.ts";
import { signerOf } from "../compat-world.ts";

const MINUTE_MS = 60_000;

/** The end user of the page's examples. */
export const END_USER = "shopper-7";

/**
 * Performs the guides' steps that a page without signing cannot do, with the client library: registers an end user, gives the
 * administrator a second credential, and signs a change.
 * @returns the end user's id
 */
export const followGuides = async ({ description }: Pick<Cluster, "description">): Promise<string> => {
  const { api, developer } = description;
  const baseUrl = api.url;
  const administrator = new DfnsApiClient({
    baseUrl,
    authToken: developer.token,
    signer: signerOf(developer),
  });
  await administrator.wallets.createWallet({ body: { network: "KeyEdDSA", name: "signed for" } });

  const expiration = new Date(Date.now() + MINUTE_MS).toISOString();
  const { code } = await administrator.auth.createCredentialCode({ body: { expiration } });
  const visitor = new DfnsApiClient({ baseUrl });
  const begun = await visitor.auth.createCredentialChallengeWithCode({
    body: { credentialKind: "Key", code },
  });
  if (begun.kind !== "Key") throw new Error(`the challenge is of ${begun.kind}`);
  await visitor.auth.createCredentialWithCode({
    body: {
      credentialKind: "Key",
      credentialInfo: new ClientCredential().attest(begun.challenge),
      challengeIdentifier: begun.challengeIdentifier,
      credentialName: "tablet",
    },
  });

  const service = new DfnsApiClient({
    baseUrl,
    authToken: developer.serviceAccount.token,
    signer: signerOf(developer.serviceAccount),
  });
  const invited = await service.auth.createDelegatedRegistrationChallenge({
    body: { email: END_USER, kind: "EndUser" },
  });
  const { user } = await new DfnsApiClient({
    baseUrl,
    authToken: invited.temporaryAuthenticationToken,
  }).auth.register({
    body: {
      firstFactorCredential: {
        credentialKind: "Key",
        credentialInfo: new ClientCredential().attest(invited.challenge),
      },
    },
  });
  return user.id;
};
