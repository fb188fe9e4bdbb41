/**
 * Reads a node's answer as far as it may be long.
 * @returns undefined when it is longer; what is more is not kept
 */
export const answerText = async (
  { body }: Pick<Response, "body">,
  bytesMax: number,
): Promise<string | undefined> => {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};
