/** Meetings made up for tests: who says what, a line a segment. */
type Lines = readonly (readonly [speaker: string | null, text: string])[]

/** An orderly planning meeting: tasks with owners and days, two decisions, questions answered and left open. */
export const PLANNING: Lines = [
  ['Speaker 1', 'Good morning everyone, can you all hear me?'],
  ['Speaker 2', 'Yes, loud and clear.'],
  ['Speaker 1', "Great. Let's start with the release of the mobile app."],
  ['Speaker 2', 'The mobile app is almost ready, but the login screen still crashes on older Android phones.'],
  ['Speaker 3', 'We saw that crash on about four percent of the Android phones in the beta test.'],
  ['Speaker 1', 'How long would it take to fix the crash?'],
  ['Speaker 2', 'About three days, because the crash comes from the old encryption library.'],
  ['Speaker 1', 'Okay. Then we have decided to move the app release from the tenth to the seventeenth of March.'],
  ['Speaker 3', 'That works for me.'],
  ['Speaker 2', "I'll replace the encryption library and send a new build to the testers by Thursday."],
  ['Speaker 1', 'Mary, can you update the release notes before Friday?'],
  ['Speaker 3', "Sure, I'll do that tomorrow."],
  ['Speaker 1', "Let's move on to the marketing budget."],
  [
    'Speaker 3',
    'The marketing budget for the spring campaign is forty thousand dollars, and we have spent half of it.',
  ],
  ['Speaker 2', 'Is the online advertising worth the money?'],
  ['Speaker 3', 'The online advertising brought six hundred new customers, more than any other part of the campaign.'],
  ['Speaker 1', 'So the online advertising is by far the best part of the budget.'],
  ['Speaker 3', 'Exactly, while the newspaper campaign brought almost no customers for the same budget.'],
  ['Speaker 1', "Then let's drop the newspaper campaign and put the money into online advertising."],
  ['Speaker 3', 'Agreed.'],
  ['Speaker 2', 'Sounds good to me.'],
  ['Speaker 1', 'What will the agency charge us for cancelling the newspaper campaign?'],
  ['Speaker 3', "I don't know, I'd have to check the contract."],
  ['Speaker 1', 'Please let me know when you find out.'],
  ['Speaker 3', "I'll ask the agency about the cancellation fee this afternoon."],
  ['Speaker 1', 'Next item is hiring.'],
  ['Speaker 2', 'We interviewed five candidates for the support position, and two of the candidates were excellent.'],
  ['Speaker 1', 'The support position has been open for three months, which is hurting our response times.'],
  ['Speaker 2', 'The best candidate can start in April if we make an offer this week.'],
  ['Speaker 1', 'Tom will prepare the offer for the candidate by Wednesday.'],
  ['Speaker 2', 'He already has the salary numbers.'],
  ['Speaker 1', 'All right, thank you all, that was a good meeting.'],
]

/** A stand-up as people really talk: fillers, half sentences, plans that are none. */
export const MESSY: Lines = [
  ['Speaker 1', 'um so yeah okay I guess I can start.'],
  [
    'Speaker 1',
    "So, uh, yesterday I was, you know, still on the payment thing, and, um, I'll be honest, it was a mess.",
  ],
  ['Speaker 2', 'Yeah, I saw that.'],
  ['Speaker 1', "I'll just share my screen real quick so that you can see the payment errors."],
  ['Speaker 2', 'Okay, I can see it.'],
  ['Speaker 1', 'So these, uh, payment errors happen whenever the bank, I mean, whenever the bank times out.'],
  ['Speaker 1', "And every time that happens I'll send the same request again, which is, you know, not great."],
  ['Speaker 3', 'Wait, so'],
  ['Speaker 3', 'are the customers charged twice?'],
  ['Speaker 1', 'Um, honestly, I have no idea.'],
  ['Speaker 2', 'If I had the logs I would have checked it already.'],
  ['Speaker 3', 'Somebody should look at the logs of the bank gateway then.'],
  ['Speaker 2', 'Yeah, I can take that.'],
  ['Speaker 3', 'Perfect, thanks.'],
  ['Speaker 1', 'Maybe I will rewrite the whole retry code some day.'],
  ['Speaker 3', "Let's not get into that now."],
  [
    'Speaker 2',
    "So, um, on my side, I'm gonna finish the, uh, the invoice export today and then I'll open a ticket for the missing tax field.",
  ],
  ['Speaker 3', 'Could you also check with the accounting people what they want in the tax field?'],
  ['Speaker 2', "I can't this week, sorry, I'm off from tomorrow."],
  ['Speaker 3', 'Right, right. Uh, then, Priya, could you check with accounting by Monday?'],
  ['Speaker 4', 'Yep, will do.'],
  ['Speaker 4', "For me it's, like, mostly the search index, it's still rebuilding, the search index is huge."],
  ['Speaker 3', "I'll tell you, that index will be the end of us."],
  ['Speaker 4', "Ha, yeah, I'll say."],
  ['Speaker 3', 'Anything else?'],
  ['Speaker 1', 'Nope.'],
  ['Speaker 3', "Okay, I'll let you go then, bye."],
]

/** A board: a motion, a decision of long ago, a plan that is refused. */
export const BOARD: Lines = [
  ['Speaker 1', 'I call the meeting of the housing board to order.'],
  ['Speaker 1', 'Last year we decided to renovate the roof, and that work is finished.'],
  ['Speaker 2', 'The roof cost us ninety thousand, which is ten thousand less than planned.'],
  ['Speaker 1', 'The main matter today is the heating system of the building.'],
  ['Speaker 3', 'The heating system is thirty years old, and the repair bills doubled in the last two winters.'],
  ['Speaker 2', 'A heat pump would cost about two hundred thousand, and the city pays a third of the heat pump.'],
  ['Speaker 3', 'I believe the heat pump is the most important investment of the next ten years.'],
  ['Speaker 4', "Let's cancel the painting of the stairs to save money."],
  ['Speaker 2', "I don't think that is a good idea, the tenants were promised the painting."],
  ['Speaker 1', 'Should we put the heat pump to a vote today?'],
  ['Speaker 3', 'I move that we buy the heat pump.'],
  ['Speaker 2', 'Seconded.'],
  ['Speaker 1', 'All in favour? That is unanimous, the motion is carried.'],
  [
    'Speaker 1',
    'The finance team will apply for the grant of the city, and legal needs to review the contract by the end of the month.',
  ],
  ['Speaker 4', 'Do the tenants have to move out during the work?'],
  ['Speaker 3', 'Good question, nobody knows yet, it depends on the contractor.'],
  ['Speaker 1', 'We still need to find out whether the insurance covers damage during the work.'],
  ['Speaker 1', 'Action item for Sarah: write a letter to all tenants about the heating work by June 3rd.'],
  ['Speaker 2', "We haven't decided who speaks to the press."],
  ['Speaker 1', "Let's come back to that in the next meeting."],
]

/** A talk in which nothing is decided and nobody is given anything to do. */
export const TALK: Lines = [
  [null, 'Today I want to talk about how bees find their way home.'],
  [
    null,
    'A bee that has found flowers will dance in the hive, and the dance tells the other bees where the flowers are.',
  ],
  [null, 'How does a bee know the direction of the flowers?'],
  [null, 'It measures the angle between the sun and the flowers, even when the sun is behind clouds.'],
  [null, "I'll show you a picture of the dance in a moment."],
  [null, 'In the dance the bee will send a signal with its wings, and the other bees will follow it.'],
  [null, 'Karl von Frisch will always be remembered for reading the dance of the bees.'],
  [null, 'We need to remember that a bee has a brain smaller than a grain of rice.'],
  [null, "Let's look at the experiment that he made in 1944."],
  [null, 'He put sugar water at two places and he decided to mark every bee with a dot of paint.'],
  [null, 'The marked bees danced, and from the dance he could tell which sugar water each bee had found.'],
  [null, "You can do the experiment yourself if you have a hive, but don't forget the veil."],
]

/** The same kind of talk in German. */
export const GERMAN: Lines = [
  ['Speaker 1', 'Guten Morgen zusammen, wir sprechen heute über den Umzug des Lagers nach Leipzig.'],
  ['Speaker 2', 'Der Umzug des Lagers kostet uns ungefähr dreißigtausend Euro, wenn wir im Sommer umziehen.'],
  ['Speaker 1', 'Wer kümmert sich um die neuen Regale für das Lager?'],
  ['Speaker 2', 'Ich bestelle die Regale bis Freitag bei unserem Lieferanten in Leipzig.'],
  ['Speaker 1', 'Wir haben beschlossen, dass der Umzug im Juli stattfindet.'],
  ['Speaker 2', 'Der Lieferant der Regale braucht sechs Wochen, also reicht die Zeit bis zum Umzug im Juli.'],
]
