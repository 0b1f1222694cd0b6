import { type CodeSample, LANGUAGES } from './code-samples';
import { highlighted } from './highlight';
import { escaped, plainText } from './html';

/** Renders the samples of a request with switches for the example and the language. */
export function samplePanel(samples: readonly CodeSample[], id: string): string {
  const options = samples.map(
    ({ summary }, index) => `<option value="${index}">${escaped(plainText(summary))}</option>`,
  );
  const choice =
    samples.length > 1
      ? `<select class="choice" aria-label="Example" data-panel="${id}">${options.join('')}</select>`
      : '<span class="code-title">Request</span>';
  const languages = Object.entries(LANGUAGES).map(
    ([language, name]) => `<button type="button" data-language="${language}">${name}</button>`,
  );
  const blocks = samples.flatMap(({ code }, index) =>
    (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).map(
      (language) =>
        `<pre tabindex="0" data-language="${language}" data-choice="${index}"${index > 0 ? ' hidden' : ''}><code>${highlighted(code[language], language)}</code></pre>`,
    ),
  );
  return `<div class="code sample" id="${id}"><div class="code-head">${choice}<span class="languages" role="group" aria-label="Language">${languages.join('')}</span></div>${blocks.join('')}</div>`;
}

/** Renders a titled block of code. */
export function codeBlock(title: string, code: string, language: Parameters<typeof highlighted>[1]): string {
  return `<div class="code"><div class="code-head"><span class="code-title">${escaped(title)}</span></div><pre tabindex="0"><code>${highlighted(code, language)}</code></pre></div>`;
}
