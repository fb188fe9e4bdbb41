/**
 * Reads a node's answer up to a length limit.
 * @returns undefined when the answer is longer; the excess is not kept
 */
export const answerBytes = async (
  { body }: Pick<Response, "body">,
  bytesMax: number,
): Promise<Buffer | undefined> => {
  if (body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Like `answerBytes`, decoded as text. */
export const answerText = async (
  answered: Pick<Response, "body">,
  bytesMax: number,
): Promise<string | undefined> => (await answerBytes(answered, bytesMax))?.toString("utf8");
