import { InvalidArgumentError } from "commander";

const ID = /^([a-z]{2,4})-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/;

/** Reads an id of a thing of the interface, of any kind. */
export const anId = (text: string): string => {
  if (ID.test(text)) return text;
  throw new InvalidArgumentError("It is no id, such as xfr-5n27h-dxfqg-o8u7tpwvrgnu3efz.");
};

/** Reads an id of one kind of thing. @param prefix such as "key" */
export const idOf =
  (prefix: string) =>
  (text: string): string => {
    if (ID.exec(text)?.[1] === prefix) return text;
    throw new InvalidArgumentError(`It is no id that begins with ${prefix}-.`);
  };

/** Reads one of several ids. */
export const someIds = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  anId(text),
];
