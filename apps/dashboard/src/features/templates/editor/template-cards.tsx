import { CARD_BUTTON_TYPES, MAX_CARD_BODY, MAX_CARD_BUTTONS, MAX_CARDS, MIN_CARDS } from '@switchboard/template-rules';
import { ArrowLeft, ArrowRight, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Check, Segments, Select, TextArea, TextField } from '../../../components/controls';
import { Note } from '../../../components/display';
import { type ButtonForm, type ButtonKind, buttonOf } from '../shared/button-form';
import { type CardForm, cardLike } from '../shared/card-form';
import { HeaderSample } from './header-sample';
import { At } from './template-bar';
import { BUTTON_NAMES, type Parts, VALUES } from './template-buttons';
import { changedAt } from './template-variables';

const HEADERS = [
  ['IMAGE', 'Image'],
  ['VIDEO', 'Video'],
] as const;
const KINDS = (CARD_BUTTON_TYPES as ButtonKind[]).map((kind) => [kind, BUTTON_NAMES[kind]] as const);

/** Cards of a carousel: first the structure that all cards share, then each card. */
export function Cards(parts: Parts) {
  const { form, set, faultOf } = parts;
  const { cards } = form;
  if (cards.length === 0) return null;
  const move = (from: number, to: number): void => {
    const moved = [...cards];
    moved.splice(to, 0, ...moved.splice(from, 1));
    set({ cards: moved });
  };
  return (
    <section className="fieldset">
      <h2>
        Cards
        <small>
          {cards.length} of {MAX_CARDS}
        </small>
      </h2>
      <div className="stack">
        <EveryCard {...parts} />
        {cards.map((card, index) => (
          <Card
            key={card.key}
            card={card}
            index={index}
            faultOf={faultOf}
            onChange={(changed) => set((now) => ({ cards: changedCard(now.cards, card.key, changed) }))}
            tools={
              <>
                <Button
                  look="ghost"
                  size="sm"
                  icon={ArrowLeft}
                  aria-label={`Move card ${index + 1} left`}
                  refusal={index === 0 ? 'Already the first card' : undefined}
                  onClick={() => move(index, index - 1)}
                />
                <Button
                  look="ghost"
                  size="sm"
                  icon={ArrowRight}
                  aria-label={`Move card ${index + 1} right`}
                  refusal={index === cards.length - 1 ? 'Already the last card' : undefined}
                  onClick={() => move(index, index + 1)}
                />
                <Button
                  look="ghost"
                  size="sm"
                  icon={Trash2}
                  aria-label={`Remove card ${index + 1}`}
                  refusal={cards.length > MIN_CARDS ? undefined : `At least ${MIN_CARDS} cards`}
                  onClick={() => set({ cards: cards.filter(({ key }) => key !== card.key) })}
                />
              </>
            }
          />
        ))}
        <At fields={['carousel', 'carousel.cards']}>
          {faultOf('carousel.cards') && <Note tone="bad">{faultOf('carousel.cards')}</Note>}
          <div>
            <Button
              size="sm"
              icon={Plus}
              refusal={cards.length < MAX_CARDS ? undefined : `At most ${MAX_CARDS} cards`}
              onClick={() => set({ cards: [...cards, cardLike(cards)] })}
            >
              Add card
            </Button>
          </div>
        </At>
      </div>
    </section>
  );
}

const changedCard = (cards: readonly CardForm[], key: number, changed: Partial<CardForm>): CardForm[] =>
  cards.map((card) => (card.key === key ? { ...card, ...changed } : card));

/** Structure shared by all cards: header format, body text and button types. */
function EveryCard({ form: { cards }, set }: Parts) {
  const [first] = cards;
  if (!first) return null;
  const { header, hasBody, buttons } = first;
  const setEach = (changed: (card: CardForm) => Partial<CardForm>): void =>
    set({ cards: cards.map((card) => ({ ...card, ...changed(card) })) });
  return (
    <div className="stack">
      <div className="field">
        <span className="label">Header of every card</span>
        <Segments
          label="Header of every card"
          value={header}
          onChange={(next) => setEach((card) => (card.header === next ? {} : { header: next, headerFile: '' }))}
          options={HEADERS}
        />
      </div>
      <Check label="Text on every card" checked={hasBody} onChange={() => setEach(() => ({ hasBody: !hasBody }))} />
      {buttons.map(({ type }, at) => (
        <div key={at} className="app-row">
          <Select
            label={`Button ${at + 1} of every card`}
            value={type === 'OTHER' ? 'URL' : type}
            onChange={(next) =>
              setEach((card) => ({ buttons: changedAt(card.buttons, at, buttonOf(next, card.buttons[at]?.text)) }))
            }
            options={KINDS}
          />
          <span />
          <Button
            look="ghost"
            icon={Trash2}
            aria-label={`Remove button ${at + 1} of every card`}
            refusal={buttons.length > 1 ? undefined : 'At least one button per card'}
            onClick={() => setEach((card) => ({ buttons: card.buttons.filter((_, index) => index !== at) }))}
          />
        </div>
      ))}
      <div>
        <Button
          size="sm"
          icon={Plus}
          refusal={buttons.length < MAX_CARD_BUTTONS ? undefined : `At most ${MAX_CARD_BUTTONS} buttons per card`}
          onClick={() => setEach((card) => ({ buttons: [...card.buttons, buttonOf('QUICK_REPLY')] }))}
        >
          Add button to every card
        </Button>
      </div>
    </div>
  );
}

interface CardProps {
  card: CardForm;
  index: number;
  faultOf: Parts['faultOf'];
  onChange(changed: Partial<CardForm>): void;
  tools: ReactNode;
}

function Card({ card, index, faultOf, onChange, tools }: CardProps) {
  const { header, headerFile, hasBody, body, buttons } = card;
  const number = index + 1;
  const place = `carousel.cards.${index}`;
  const fault = faultOf(`${place}.body`, `${place}.buttons`, `${place}.components`);
  return (
    <At fields={[place]}>
      <div className="card-edit" role="group" aria-label={`Card ${number}`}>
        <div className="row">
          <h3>Card {number}</h3>
          <span className="push" />
          {tools}
        </div>
        <At fields={[`${place}.header.example.header_handle`, `${place}.header.format`]}>
          <HeaderSample
            key={header}
            label={`File of card ${number}`}
            format={header}
            hasFile={headerFile !== ''}
            fault={faultOf(`${place}.header.example.header_handle`, `${place}.header.format`)}
            onUploaded={(id) => onChange({ headerFile: id })}
          />
        </At>
        {hasBody && (
          <At fields={[`${place}.body.text`]}>
            <TextArea
              label={`Body of card ${number}`}
              rows={3}
              meter={[body.length, MAX_CARD_BODY]}
              value={body}
              onChange={(text) => onChange({ body: text })}
              fault={faultOf(`${place}.body.text`)}
            />
          </At>
        )}
        {buttons.map((button, at) => (
          <CardButton
            key={at}
            button={button}
            faultOf={faultOf}
            name={buttons.length === 1 ? 'Button' : `Button ${at + 1}`}
            card={number}
            field={`${place}.buttons.${at}`}
            onChange={(changed) => onChange({ buttons: changedAt(buttons, at, changed) })}
          />
        ))}
        {fault && <Note tone="bad">{fault}</Note>}
      </div>
    </At>
  );
}

interface CardButtonProps {
  button: ButtonForm;
  /** Display name on the card. */
  name: string;
  card: number;
  field: string;
  faultOf: Parts['faultOf'];
  onChange(changed: Partial<ButtonForm>): void;
}

function CardButton({ button: { type, text, value }, name, card, field, faultOf, onChange }: CardButtonProps) {
  const more = type === 'OTHER' ? undefined : VALUES[type];
  return (
    <div className="two">
      <At fields={[`${field}.text`, `${field}.type`]}>
        <TextField
          label={`${name} text of card ${card}`}
          value={text}
          onChange={(next) => onChange({ text: next })}
          fault={faultOf(`${field}.text`, `${field}.type`)}
        />
      </At>
      {more && (
        <At fields={[`${field}.${more.field}`]}>
          <TextField
            label={`${name} ${more.label.toLowerCase()} of card ${card}`}
            value={value}
            onChange={(next) => onChange({ value: next })}
            fault={faultOf(`${field}.${more.field}`)}
            input={{ placeholder: more.example }}
          />
        </At>
      )}
    </div>
  );
}
