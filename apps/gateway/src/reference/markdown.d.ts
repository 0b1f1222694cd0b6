/** The bundler and the tests hand a guide over as its text. */
declare module '*.md' {
  const text: string;
  export default text;
}
