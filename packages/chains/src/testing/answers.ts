/** An answer of a node's client. */
interface Answer<T> {
  readonly ok: boolean;
  readonly value?: T;
  readonly problem?: { readonly code: string };
}

/** @returns the value of an answer; undefined if it is a problem */
export const answerOf = async <T>(asked: Promise<Answer<T>>): Promise<T | undefined> => (await asked).value;

/** @returns the code of an answer's problem, or "ok" */
export const codeOf = async (asked: Promise<Answer<unknown>>): Promise<string> =>
  (await asked).problem?.code ?? "ok";
