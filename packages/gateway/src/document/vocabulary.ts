import { COMPONENT_WORDS } from "./vocabulary/components.ts";
import { ID_WORDS } from "./vocabulary/ids.ts";
import { PEOPLE_WORDS } from "./vocabulary/people.ts";
import { POLICY_WORDS } from "./vocabulary/policies.ts";
import { REQUEST_WORDS } from "./vocabulary/requests.ts";
import { WALLET_WORDS } from "./vocabulary/wallets.ts";
import type { Vocabulary, Word } from "./vocabulary/word.ts";

const WORDS: Vocabulary = {
  ...WALLET_WORDS,
  ...REQUEST_WORDS,
  ...POLICY_WORDS,
  ...PEOPLE_WORDS,
  ...ID_WORDS,
  ...COMPONENT_WORDS,
};

/**
 * The meaning of a name.
 * @param holders its containers, the nearest first: the variant, the property, the component or the operation
 */
export const wordOf = (name: string, holders: readonly string[]): Word | undefined => {
  const inHolder = holders.map((holder) => WORDS[`${holder}.${name}`]).find((word) => word !== undefined);
  return inHolder ?? WORDS[name];
};
