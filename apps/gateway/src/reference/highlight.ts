import { escaped } from './html';

const TOKENS = {
  json: /(?<c>(?!))|(?<k>"(?:\\.|[^"\\])*"(?=\s*:))|(?<s>"(?:\\.|[^"\\])*")|(?<n>\b(?:true|false|null|-?\d[\d.]*)\b)/g,
  curl: /(?<c>^#.*)|(?<k>^curl\b| -[A-Za-z]\b|"(?:\\.|[^"\\])*"(?=\s*:))|(?<s>"(?:\\.|[^"\\])*"|'[^'\n{[]*')|(?<n>(?!))/gm,
  typescript:
    /(?<c>\/\/.*)|(?<k>\b(?:import|from|const|await)\b)|(?<s>'(?:\\.|[^'\\])*')|(?<n>\b(?:true|false|null|\d[\d.]*)\b)/g,
  python: /(?<c>#.*)|(?<k>\b(?:import|from|print)\b)|(?<s>"(?:\\.|[^"\\])*")|(?<n>\b(?:True|False|None|\d[\d.]*)\b)/g,
};

/** Renders code with an element per keyword, text, number and comment. `site.css` has their colours. */
export function highlighted(code: string, language: keyof typeof TOKENS): string {
  let html = '';
  let end = 0;
  for (const match of code.matchAll(TOKENS[language])) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['k'];
    html += `${escaped(code.slice(end, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escaped(code.slice(end));
}
