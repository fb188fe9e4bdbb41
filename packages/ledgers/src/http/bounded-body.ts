/**
 * Reads a request's body, up to a limit.
 * @returns undefined if the body is longer; the rest is not read
 */
export const boundedBody = async (request: Request, mostBytes: number): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    length += next.value.length;
    if (length > mostBytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
};
