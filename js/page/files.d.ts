declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.eml" {
  const octets: Uint8Array;
  export default octets;
}
