<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>CoreWords</name>
    <message>
        <source>the generated text</source>
        <translation>生成的文本</translation>
    </message>
    <message>
        <source>reading the model</source>
        <translation>正在读模型</translation>
    </message>
    <message>
        <source>reading the text</source>
        <translation>正在读文本</translation>
    </message>
    <message>
        <source>reading the texts</source>
        <translation>正在读各文本</translation>
    </message>
    <message>
        <source>reading the prompt</source>
        <translation>正在读提示词</translation>
    </message>
    <message>
        <source>reading the prompts</source>
        <translation>正在读各提示词</translation>
    </message>
    <message>
        <source>reading what the prompts share</source>
        <translation>正在读各提示词的共同部分</translation>
    </message>
    <message>
        <source>reading the weights, %1 of %2 GB</source>
        <translation>正在读权重，%1 / %2 GB</translation>
    </message>
    <message>
        <source>making the task&apos;s text</source>
        <translation>正在生成任务文本</translation>
    </message>
    <message>
        <source>waiting for the program that tokenises this text</source>
        <translation>等待另一程序为此文本分词</translation>
    </message>
    <message>
        <source>generating</source>
        <translation>正在生成</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>effective remembrance</source>
        <translation>有效记忆（EffRem）</translation>
    </message>
    <message>
        <source>looking into the states</source>
        <translation>正在查看状态</translation>
    </message>
    <message>
        <source>the law of the states</source>
        <translation>状态的分布规律</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>measuring: %1</source>
        <translation>测量：%1</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <source>%1: %2 tokens, %3, sample %4 of %5</source>
        <translation>%1：%2 个词元，%3，样本 %4 / %5</translation>
    </message>
    <message>
        <source>%1: %2 tokens, sample %3 of %4</source>
        <translation>%1：%2 个词元，样本 %3 / %4</translation>
    </message>
    <message>
        <source>%1: %2 letters, sample %3 of %4</source>
        <translation>%1：%2 个字母，样本 %3 / %4</translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>深度 %1</translation>
    </message>
    <message>
        <source>%1, seed %2: %3</source>
        <translation>%1，种子 %2：%3</translation>
    </message>
    <message>
        <source>base: %1</source>
        <translation>基准：%1</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1，已修改</translation>
    </message>
    <message>
        <source>%1, read from %2</source>
        <translation>%1，从%2读起</translation>
    </message>
    <message>
        <source>after %1 token of %2</source>
        <translation>%2的第 %1 个词元之后</translation>
    </message>
    <message>
        <source>after %1 tokens of %2</source>
        <translation>%2的第 %1 个词元之后</translation>
    </message>
    <message>
        <source>its own text</source>
        <translation>自己的文本</translation>
    </message>
    <message>
        <source>file %1</source>
        <translation>文件 %1</translation>
    </message>
    <message>
        <source>forked from run %1 after %2 steps</source>
        <translation>由运行 %1 在 %2 步后分叉</translation>
    </message>
    <message>
        <source>forked from %1</source>
        <translation>由 %1 分叉</translation>
    </message>
    <message>
        <source>saved in %1</source>
        <translation>已存入 %1</translation>
    </message>
    <message>
        <source>step %1 was passed over: %2</source>
        <translation>跳过第 %1 步：%2</translation>
    </message>
    <message>
        <source>%1 from here</source>
        <translation>自此起：%1</translation>
    </message>
    <message>
        <source>zero state</source>
        <translation>零状态</translation>
    </message>
    <message>
        <source>state passing, without the convolution context, P(zero) %1</source>
        <translation>状态传递，不含卷积上下文，P(零) %1</translation>
    </message>
    <message>
        <source>state passing, P(zero) %1</source>
        <translation>状态传递，P(零) %1</translation>
    </message>
    <message>
        <source>truncated BPTT, without the convolution context, P(zero) %1</source>
        <translation>截断 BPTT，不含卷积上下文，P(零) %1</translation>
    </message>
    <message>
        <source>truncated BPTT, P(zero) %1</source>
        <translation>截断 BPTT，P(零) %1</translation>
    </message>
    <message>
        <source>random noise, sigma %1, P(zero) %2</source>
        <translation>随机噪声，σ %1，P(零) %2</translation>
    </message>
    <message>
        <source>fitted noise, %1</source>
        <translation>拟合噪声，%1</translation>
    </message>
    <message>
        <source>correlated noise, rank %1, %2</source>
        <translation>相关噪声，秩 %1，%2</translation>
    </message>
    <message>
        <source>mixture of %1, P(zero) %2</source>
        <translation>混合：%1，P(零) %2</translation>
    </message>
    <message>
        <source>of final states of %1 windows, P(zero) %2</source>
        <translation>取自 %1 个窗口的末状态，P(零) %2</translation>
    </message>
    <message>
        <source>of final states, momentum %1, P(zero) %2</source>
        <translation>取自末状态，动量 %1，P(零) %2</translation>
    </message>
    <message>
        <source>of all states of %1 windows, P(zero) %2</source>
        <translation>取自 %1 个窗口的所有状态，P(零) %2</translation>
    </message>
    <message>
        <source>of all states, momentum %1, P(zero) %2</source>
        <translation>取自所有状态，动量 %1，P(零) %2</translation>
    </message>
    <message>
        <source>All elements of all %1 states are %2.</source>
        <translation>全部 %1 个状态的所有元素均为 %2。</translation>
    </message>
    <message>
        <source>One Gaussian, mean %1 and standard deviation %2, describes all elements of this head, as far as %3 states can tell.</source>
        <translation>就 %3 个状态来看，一个均值 %1、标准差 %2 的高斯分布即可描述此头的所有元素。</translation>
    </message>
    <message>
        <source>A Gaussian per head is not enough: %1. Measured on %2 states.</source>
        <translation>每头一个高斯分布不够：%1。在 %2 个状态上测得。</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>its elements are correlated (the first %1 directions hold %2 % of the variance, %3 % if independent; RMS correlation %4 in a row, %5 in a column; as few as %6 independent elements out of %7)</source>
        <translation>元素相关（前 %1 个方向占方差的 %2 %，独立时为 %3 %；行内均方根相关 %4，列内 %5；%7 个元素中仅相当于 %6 个独立元素）</translation>
    </message>
    <message>
        <source>a single state is of low rank (effective rank %1, %2 if independent)</source>
        <translation>单个状态为低秩（有效秩 %1，独立时为 %2）</translation>
    </message>
    <message>
        <source>whole states differ in size (by %1 %, standard deviation)</source>
        <translation>各状态整体大小不同（标准差 %1 %）</translation>
    </message>
    <message>
        <source>its elements are not Gaussian (excess kurtosis %1, KS distance %2)</source>
        <translation>元素不服从高斯分布（超额峰度 %1，KS 距离 %2）</translation>
    </message>
    <message>
        <source>its elements differ (their means by %1 % of the head&apos;s standard deviation, their standard deviations by a factor of %2)</source>
        <translation>各元素不同（均值相差该头标准差的 %1 %，标准差相差 %2 倍）</translation>
    </message>
    <message>
        <source>One variance for all heads is enough: %1.</source>
        <translation>所有头共用一个方差即可：%1。</translation>
    </message>
    <message>
        <source>A Gaussian per head is enough: %1.</source>
        <translation>每头一个高斯分布即可：%1。</translation>
    </message>
    <message>
        <source>Every element needs a Gaussian of its own: %1.</source>
        <translation>每个元素需要自己的高斯分布：%1。</translation>
    </message>
    <message>
        <source>Independent noise could do, but not Gaussian noise: %1.</source>
        <translation>独立噪声可行，但高斯噪声不行：%1。</translation>
    </message>
    <message>
        <source>Independent noise cannot stand in for the states: %1.</source>
        <translation>独立噪声不能代替这些状态：%1。</translation>
    </message>
    <message>
        <source>of %1 heads, %2 have elements that depend on each other, %3 elements that are not Gaussian, %4 elements that differ, and %5 another mean or variance than all heads together (standard deviation %6; of a head %7 to %8)</source>
        <translation>%1 个头中，%2 个的元素相互依赖，%3 个的元素非高斯，%4 个的元素各不相同，%5 个的均值或方差与所有头合计不同（标准差 %6；单个头 %7 到 %8）</translation>
    </message>
    <message>
        <source>Of the positions %1 only those up to %2 were reached.</source>
        <translation>在位置 %1 中，只到达了 %2 以内的。</translation>
    </message>
    <message>
        <source>Histograms, quantiles, cosines and distances between distributions rest on %1 of %2 elements of each state, to stay within %3 MB; means, standard deviations, skewness and kurtosis on all.</source>
        <translation>为了不超过 %3 MB，直方图、分位数、余弦和分布距离取自每个状态 %2 个元素中的 %1 个；均值、标准差、偏度和峰度取自全部元素。</translation>
    </message>
    <message>
        <source>The trained context is not recorded, or longer than the sequences: there is no distribution to compare with.</source>
        <translation>训练长度没有记录，或超过了序列长度：没有可比较的分布。</translation>
    </message>
    <message>
        <source>The law of the states was not looked for: it takes %1 sequences or more, and there are %2.</source>
        <translation>没有寻找状态的分布规律：需要至少 %1 个序列，而现在有 %2 个。</translation>
    </message>
    <message>
        <source>Position %1 lies outside the sequences of %2 tokens; %3 is shown.</source>
        <translation>位置 %1 超出了 %2 个词元的序列；显示的是 %3。</translation>
    </message>
    <message>
        <source>The model&apos;s matrices are in bfloat16 and have no gradients: which tokens the prediction leans on needs the precision float32.</source>
        <translation>模型的矩阵为 bfloat16，没有梯度：要知道预测依据哪些词元，需要 float32 精度。</translation>
    </message>
    <message>
        <source>Stopped before all that was asked for was measured.</source>
        <translation>在测完所要求的全部内容之前停止。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not finite everywhere.</source>
        <translation>“%1”并非处处有限。</translation>
    </message>
    <message>
        <source>%1 sequences of %2 tokens overlap in %3 tokens of text: %4</source>
        <translation>%3 个词元的文本中，%1 个 %2 词元的序列有重叠：%4</translation>
    </message>
    <message>
        <source>Mamba-2 %1, 500 steps (figure 1)</source>
        <translation>Mamba-2 %1，500 步（图 1）</translation>
    </message>
    <message>
        <source>Mamba-2 %1, 100 steps (the four interventions)</source>
        <translation>Mamba-2 %1，100 步（四种初始状态干预）</translation>
    </message>
    <message>
        <source>Post-training of state-spaces/mamba2-%1 as in Buitrago Ruiz and Gu 2025, the run behind its curves of perplexity by position; on text like that of its pre-training (the Pile; which part is not known).</source>
        <translation>按 Buitrago Ruiz 与 Gu 2025 对 state-spaces/mamba2-%1 做后训练，即其各位置困惑度曲线所用的运行；使用与其预训练相似的文本（the Pile；具体哪部分未知）。</translation>
    </message>
    <message>
        <source>Post-training of state-spaces/mamba2-%1 as in Buitrago Ruiz and Gu 2025, the short run behind its comparison of four laws of the initial state; on text like that of its pre-training (the Pile; which part is not known).</source>
        <translation>按 Buitrago Ruiz 与 Gu 2025 对 state-spaces/mamba2-%1 做后训练，即其比较四种初始状态方式所用的短运行；使用与其预训练相似的文本（the Pile；具体哪部分未知）。</translation>
    </message>
    <message>
        <source>Shows the failure past the training context and its cure in seconds.</source>
        <translation>几秒内展示超过训练长度后的失效及其修复。</translation>
    </message>
    <message>
        <source>A checkpoint of the paper on a small machine</source>
        <translation>在小机器上使用论文的检查点</translation>
    </message>
    <message>
        <source>The paper&apos;s recipe cut down to what a night can do: 50 steps of 16 windows, a hundred and sixtieth of its tokens. Our own choice, not a run of the paper.</source>
        <translation>把论文的配方缩减到一夜可完成：50 步，每步 16 个窗口，词元数为其一百六十分之一。这是我们自己的选择，不是论文中的运行。</translation>
    </message>
    <message>
        <source>our choice</source>
        <translation>我们的选择</translation>
    </message>
    <message>
        <source>no schedule is stated; our choice</source>
        <translation>未说明学习率调度；我们的选择</translation>
    </message>
    <message>
        <source>Mamba-2 780m, %1, %2</source>
        <translation>Mamba-2 780m，%1，%2</translation>
    </message>
    <message>
        <source>Mamba-2 %1, zero-shot</source>
        <translation>Mamba-2 %1，零样本</translation>
    </message>
    <message>
        <source>Mamba-2 %1, fine-tuned</source>
        <translation>Mamba-2 %1，微调</translation>
    </message>
    <message>
        <source>Mamba-2 %1, fine-tuned with fitted noise</source>
        <translation>Mamba-2 %1，以拟合噪声微调</translation>
    </message>
    <message>
        <source>few-shot</source>
        <translation>少样本</translation>
    </message>
    <message>
        <source>fine-tuned</source>
        <translation>微调</translation>
    </message>
    <message>
        <source>base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>state passing</source>
        <translation>状态传递</translation>
    </message>
    <message>
        <source>TBTT</source>
        <translation>TBTT</translation>
    </message>
    <message>
        <source>Buitrago Ruiz and Gu 2025 (arXiv:2507.02782); digitised from the figure, so approximate</source>
        <translation>Buitrago Ruiz 与 Gu 2025（arXiv:2507.02782）；由图数字化得到，为近似值</translation>
    </message>
    <message>
        <source>Buitrago Ruiz and Gu 2025 (arXiv:2507.02782); table in the authors&apos; blog</source>
        <translation>Buitrago Ruiz 与 Gu 2025（arXiv:2507.02782）；作者博客中的表</translation>
    </message>
    <message>
        <source>A setting is wrong:</source>
        <translation>设置有误：</translation>
    </message>
    <message>
        <source>A file can&apos;t be used as it is:</source>
        <translation>文件无法按原样使用：</translation>
    </message>
    <message>
        <source>Memory doesn&apos;t suffice:</source>
        <translation>内存不足：</translation>
    </message>
    <message>
        <source>The numbers are no longer finite:</source>
        <translation>数值已不再有限：</translation>
    </message>
    <message>
        <source>It was interrupted:</source>
        <translation>被中断：</translation>
    </message>
    <message>
        <source>A mistake of the program:</source>
        <translation>程序出错：</translation>
    </message>
    <message>
        <source>searching a learning rate: step %1 of at most %2</source>
        <translation>正在寻找学习率：第 %1 步，最多 %2 步</translation>
    </message>
    <message>
        <source>Too few steps were made to tell.</source>
        <translation>步数太少，无法判断。</translation>
    </message>
    <message>
        <source>The loss changes by no more than it scatters; search up to a higher rate.</source>
        <translation>损失的变化没有超出其自身的波动；请搜索到更高的学习率。</translation>
    </message>
    <message>
        <source>Suggested: %1, a tenth of %2, the largest rate at which the smoothed loss (%3) is still within its scatter of the smallest (%4).</source>
        <translation>建议：%1，即 %2 的十分之一；后者是平滑损失（%3）与最小值（%4）之差仍在其波动范围内的最大学习率。</translation>
    </message>
    <message>
        <source>Suggested: %1, a tenth of %2, the largest rate at which the smoothed loss (%3) is still within its scatter of the smallest (%4). It had not risen by the end of the search, so a higher rate may do as well.</source>
        <translation>建议：%1，即 %2 的十分之一；后者是平滑损失（%3）与最小值（%4）之差仍在其波动范围内的最大学习率。到搜索结束时损失尚未上升，因此更高的学习率或许也可行。</translation>
    </message>
    <message>
        <source>choose a smaller batch or context, or a smaller model</source>
        <translation>请选择更小的批量或上下文，或更小的模型</translation>
    </message>
    <message>
        <source>choose fewer or shorter sequences to measure</source>
        <translation>请选择更少或更短的序列来测量</translation>
    </message>
    <message>
        <source>%1 would bring it to about %2 GB</source>
        <translation>%1 可将其降到约 %2 GB</translation>
    </message>
    <message>
        <source>this machine has no bf16 instructions; float32 is faster here</source>
        <translation>这台机器没有 bf16 指令；在这里 float32 更快</translation>
    </message>
    <message>
        <source>How long it takes isn&apos;t known: %1 is in memory in %2, and a second of training can be timed in float32 alone.</source>
        <translation>需要多长时间尚不可知：%1 在内存中的精度为 %2，而一秒的训练只能以 float32 计时。</translation>
    </message>
    <message>
        <source>The built-in model, %1 steps</source>
        <translation>内置模型，%1 步</translation>
    </message>
    <message>
        <source>figure 1 of the paper (arXiv:2507.02782) shows state passing; the other laws are arms beside it</source>
        <translation>论文（arXiv:2507.02782）图 1 显示的是状态传递；其他干预是与之并列的实验组</translation>
    </message>
    <message>
        <source>a public reimplementation whose author read the paper zeroes a row with 0.1; whether that is the paper&apos;s own value is not known, and the authors&apos; blog post names none</source>
        <translation>一个公开的重新实现（其作者读过论文）以 0.1 的概率将一行置零；这是否是论文自己的取值尚不可知，作者的博客也没有给出</translation>
    </message>
    <message>
        <source>readers say that the pseudocode of the appendix passes the recurrent state alone</source>
        <translation>据读者说，附录中的伪代码只传递循环状态</translation>
    </message>
    <message>
        <source>random noise: the paper has one standard deviation for all layers and heads; a reader&apos;s notes say 1</source>
        <translation>随机噪声：论文对所有层和头使用同一个标准差；一位读者的笔记说是 1</translation>
    </message>
    <message>
        <source>fitted noise: the authors&apos; blog post (goombalab.github.io, July 2025) says the final states</source>
        <translation>拟合噪声：作者的博客（goombalab.github.io，2025 年 7 月）说是最终状态</translation>
    </message>
    <message>
        <source>fitted noise: over which steps the states are gathered is not known; our choice</source>
        <translation>拟合噪声：在哪些步上收集状态尚不可知；我们的选择</translation>
    </message>
    <message>
        <source>a tenth of the pre-training peak, as readers quote the paper; that peak is five times GPT-3&apos;s %1 (arXiv:2005.14165, table 2.1), as Mamba was trained (arXiv:2312.00752, appendix E)</source>
        <translation>预训练峰值的十分之一，据读者引述论文；该峰值是 GPT-3 的 %1（arXiv:2005.14165，表 2.1）的五倍，与 Mamba 的训练相同（arXiv:2312.00752，附录 E）</translation>
    </message>
    <message>
        <source>no schedule is stated; a public reimplementation rises over 50 steps and stays</source>
        <translation>未说明学习率调度；一个公开的重新实现在 50 步内上升，之后保持不变</translation>
    </message>
    <message>
        <source>not stated; Mamba&apos;s pre-training (arXiv:2312.00752, appendix E)</source>
        <translation>未说明；取自 Mamba 的预训练（arXiv:2312.00752，附录 E）</translation>
    </message>
    <message>
        <source>not stated; AdamW as in Mamba&apos;s pre-training</source>
        <translation>未说明；AdamW 与 Mamba 的预训练相同</translation>
    </message>
    <message>
        <source>not stated; Mamba&apos;s pre-training</source>
        <translation>未说明；取自 Mamba 的预训练</translation>
    </message>
    <message>
        <source>our choice: the least memory; the numbers are those of the whole batch up to rounding</source>
        <translation>我们的选择：内存最少；除舍入外，数值与整个批量相同</translation>
    </message>
    <message>
        <source>our choice: less memory for more time; the numbers are the same</source>
        <translation>我们的选择：以更多时间换取更少内存；数值相同</translation>
    </message>
    <message>
        <source>the precision of the post-training is not known; our choice</source>
        <translation>后训练的精度尚不可知；我们的选择</translation>
    </message>
    <message>
        <source>caption of figure 1 of the paper, for Mamba-2</source>
        <translation>论文图 1 的说明，针对 Mamba-2</translation>
    </message>
    <message>
        <source>the blog post said 100 steps when it appeared and 500 a day later, with the same figures; these curves lie above those of 500 steps</source>
        <translation>博客发布时写的是 100 步，一天后改为 500 步，而图未变；这些曲线位于 500 步的曲线之上</translation>
    </message>
    <message>
        <source>the paper; the context of the pre-training</source>
        <translation>论文；预训练的上下文</translation>
    </message>
    <message>
        <source>500 steps are said to be about 0.1 % of the pre-training&apos;s 300 billion tokens, which is 2^19 tokens a step: 256 x 2048</source>
        <translation>据称 500 步约为预训练 3000 亿词元的 0.1 %，即每步 2^19 个词元：256 x 2048</translation>
    </message>
    <message>
        <source>our recipe for the built-in model: docs/DEMO.md</source>
        <translation>我们为内置模型制定的配方：docs/DEMO.md</translation>
    </message>
    <message>
        <source>our choice: a tenth of the paper&apos;s</source>
        <translation>我们的选择：论文的十分之一</translation>
    </message>
    <message>
        <source>our choice: a sixteenth of the paper&apos;s</source>
        <translation>我们的选择：论文的十六分之一</translation>
    </message>
    <message>
        <source>our choice: of the order of the paper&apos;s rates, and lower than that of its 130m, since a batch is a sixteenth; train --find-lr looks for a better one</source>
        <translation>我们的选择：与论文的学习率同一量级，但低于其 130m 的学习率，因为批量只有十六分之一；train --find-lr 可寻找更好的值</translation>
    </message>
    <message>
        <source>its elements are correlated (the first direction holds %1 % of the variance, %2 % if independent; RMS correlation %3 in a row, %4 in a column; as few as %5 independent elements out of %6)</source>
        <translation>元素相关（第一个方向占方差的 %1 %，独立时为 %2 %；行内均方根相关 %3，列内 %4；%6 个元素中仅相当于 %5 个独立元素）</translation>
    </message>
</context>
<context>
    <name>HeadName</name>
    <message>
        <source>layer %1, head %2</source>
        <translation>层 %1，头 %2</translation>
    </message>
    <message>
        <source>Layer %1, head %2</source>
        <translation>层 %1，头 %2</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>There is no display (DISPLAY and WAYLAND_DISPLAY are not set). The program farstate works without one, and --shot FILE.png draws the window into a file.</source>
        <translation>没有显示器（未设置 DISPLAY 和 WAYLAND_DISPLAY）。farstate 程序无需显示器即可工作，--shot FILE.png 可把窗口画入文件。</translation>
    </message>
</context>
<context>
    <name>Number</name>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
</context>
<context>
    <name>Story</name>
    <message>
        <source>true or false</source>
        <translation>真或假</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>一段文字</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>farstate::desktop</name>
    <message>
        <source>--size wants WIDTHxHEIGHT, such as 1440x900, and got &quot;%1&quot;.</source>
        <translation>--size 需要“宽x高”，例如 1440x900，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>--theme wants light, dark or system, and got &quot;%1&quot;.</source>
        <translation>--theme 只能是 light、dark 或 system，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>--language wants system, en or zh_CN, and got &quot;%1&quot;.</source>
        <translation>--language 只能是 system、en 或 zh_CN，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>--format wants png, svg or both, and got &quot;%1&quot;.</source>
        <translation>--format 只能是 png、svg 或 both，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>--scale wants a number from 0.5 to 8, and got &quot;%1&quot;.</source>
        <translation>--scale 需要 0.5 到 8 之间的数，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>%1 wants a number of at least 1, and got &quot;%2&quot;.</source>
        <translation>%1 需要不小于 1 的数，但得到的是“%2”。</translation>
    </message>
    <message>
        <source>--task wants passkey, babilong, copying or register, and got &quot;%1&quot;.</source>
        <translation>--task 只能是 passkey、babilong、copying 或 register，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>--task doesn&apos;t go with --run, --prompt or --experiment: choose one of them.</source>
        <translation>--task 不能与 --run、--prompt 或 --experiment 同用：请只选其一。</translation>
    </message>
    <message>
        <source>Show this help.</source>
        <translation>显示此帮助。</translation>
    </message>
    <message>
        <source>Show the version.</source>
        <translation>显示版本。</translation>
    </message>
    <message>
        <source>Measure and train on this UTF-8 text file.</source>
        <translation>在这个 UTF-8 文本文件上测量和训练。</translation>
    </message>
    <message>
        <source>Show what is known of this model or text before it is loaded.</source>
        <translation>在载入前显示这个模型或文本的信息。</translation>
    </message>
    <message>
        <source>Write a picture of the window and end.</source>
        <translation>写出一张窗口图片后结束。</translation>
    </message>
    <message>
        <source>Take the picture after so many seconds (3).</source>
        <translation>过多少秒后截图（3）。</translation>
    </message>
    <message>
        <source>Start training once the model is ready.</source>
        <translation>模型就绪后开始训练。</translation>
    </message>
    <message>
        <source>Read this text and go on from it, once the model is ready.</source>
        <translation>模型就绪后读入这段文本并续写。</translation>
    </message>
    <message>
        <source>Compare these arms once the model is ready, such as zero,state-passing.</source>
        <translation>模型就绪后比较这些实验组，例如 zero,state-passing。</translation>
    </message>
    <message>
        <source>Show this task and score it once the model is ready: passkey, babilong, copying or register.</source>
        <translation>模型就绪后显示并评分这个任务：passkey、babilong、copying 或 register。</translation>
    </message>
    <message>
        <source>Open this story: a folder, or &quot;intro&quot;.</source>
        <translation>打开这个课程：一个文件夹，或“intro”。</translation>
    </message>
    <message>
        <source>With --story: do every task without a person, print a line for each, and end.</source>
        <translation>与 --story 同用：无人值守地完成每个任务，各打印一行后结束。</translation>
    </message>
    <message>
        <source>With --experiment: runs of each arm (1).</source>
        <translation>与 --experiment 同用：每个实验组的运行数（1）。</translation>
    </message>
    <message>
        <source>Steps of training, or of each arm (200).</source>
        <translation>训练步数，或每个实验组的步数（200）。</translation>
    </message>
    <message>
        <source>With --shot: a picture of each plot as well.</source>
        <translation>与 --shot 同用：另存每张图。</translation>
    </message>
    <message>
        <source>Initial state: zero, random-noise, fitted-noise, state-passing, tbtt, correlated-noise or mixture.</source>
        <translation>初始状态：zero、random-noise、fitted-noise、state-passing、tbtt、correlated-noise 或 mixture。</translation>
    </message>
    <message>
        <source>Go through a first minute without a person, with a picture of the window at 1, 5, 10, 20 and 60 seconds, and end.</source>
        <translation>无人值守地走完第一分钟，在 1、5、10、20 和 60 秒时各截一张窗口图，然后结束。</translation>
    </message>
    <message>
        <source>Print how long it took until the window was seen.</source>
        <translation>打印窗口出现所用的时间。</translation>
    </message>
    <message>
        <source>light, dark or system.</source>
        <translation>light、dark 或 system。</translation>
    </message>
    <message>
        <source>system, en or zh_CN.</source>
        <translation>system、en 或 zh_CN。</translation>
    </message>
    <message>
        <source>Size of the window (1440x900).</source>
        <translation>窗口大小（1440x900）。</translation>
    </message>
    <message>
        <source>Without a window: draw this file of results (farstate measure --json). Given again, the others are drawn over the first.</source>
        <translation>不开窗口：画出这个结果文件（farstate measure --json）。多次给出时，其余的画在第一个之上。</translation>
    </message>
    <message>
        <source>With --render: folder for the pictures.</source>
        <translation>与 --render 同用：图片文件夹。</translation>
    </message>
    <message>
        <source>With --render: png, svg or both.</source>
        <translation>与 --render 同用：png、svg 或 both。</translation>
    </message>
    <message>
        <source>With --render: these plots, by name.</source>
        <translation>与 --render 同用：只画这些图（按名称）。</translation>
    </message>
    <message>
        <source>With --render: pixels of a PNG for each of the size (2).</source>
        <translation>与 --render 同用：PNG 每单位尺寸的像素数（2）。</translation>
    </message>
    <message>
        <source>One model at a time, and there are %1.</source>
        <translation>一次只能打开一个模型，而这里有 %1 个。</translation>
    </message>
    <message>
        <source>--plots goes with --shot.</source>
        <translation>--plots 需与 --shot 同用。</translation>
    </message>
    <message>
        <source>--run trains and --prompt reads a text: choose one of them.</source>
        <translation>--run 用于训练，--prompt 用于读入文本：请只选其一。</translation>
    </message>
    <message>
        <source>--experiment doesn&apos;t go with --run or --prompt: choose one of them.</source>
        <translation>--experiment 不能与 --run 或 --prompt 同用：请只选其一。</translation>
    </message>
    <message>
        <source>--seeds goes with --experiment.</source>
        <translation>--seeds 需与 --experiment 同用。</translation>
    </message>
    <message>
        <source>--check goes with --story.</source>
        <translation>--check 需与 --story 同用。</translation>
    </message>
    <message>
        <source>--after wants a number of seconds, and got &quot;%1&quot;.</source>
        <translation>--after 需要秒数，但得到的是“%1”。</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>全部暂停</translation>
    </message>
    <message>
        <source>Resume all</source>
        <translation>全部继续</translation>
    </message>
    <message>
        <source>Start comparison</source>
        <translation>开始比较</translation>
    </message>
    <message>
        <source>The model is being loaded.</source>
        <translation>模型正在载入。</translation>
    </message>
    <message>
        <source>Training runs. A comparison can start when it is paused or done.</source>
        <translation>正在训练。暂停或结束后才能开始比较。</translation>
    </message>
    <message>
        <source>The model is being measured. A comparison can start when that has ended.</source>
        <translation>正在测量模型。测量结束后才能开始比较。</translation>
    </message>
    <message>
        <source>What runs is coming to its end.</source>
        <translation>正在运行的工作即将结束。</translation>
    </message>
    <message>
        <source>No model is open. Open one, and its arms can be compared here.</source>
        <translation>没有打开模型。打开一个模型后，即可在此比较各实验组。</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>已失败</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1和%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>the zero-state control</source>
        <translation>零状态对照组</translation>
    </message>
    <message>
        <source>%1 (1 seed)</source>
        <translation>%1（1 个种子）</translation>
    </message>
    <message>
        <source>%1 (%2 seeds)</source>
        <translation>%1（%2 个种子）</translation>
    </message>
    <message>
        <source>At %1, position %2,</source>
        <translation>在 %1（位置 %2）处，</translation>
    </message>
    <message>
        <source>%1 %2 has perplexity %3</source>
        <translation>%1%2的困惑度为 %3</translation>
    </message>
    <message>
        <source> against %1 for %2</source>
        <translation>，而%2为 %1</translation>
    </message>
    <message>
        <source>; the untouched checkpoint has %1</source>
        <translation>；未改动的检查点为 %1</translation>
    </message>
    <message>
        <source> against %1 for the untouched checkpoint</source>
        <translation>，而未改动的检查点为 %1</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>Then: %1.</source>
        <translation>其次：%1。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>Its seeds&apos; range overlaps that of %1: there they can&apos;t be told apart.</source>
        <translation>其各种子的范围与%1重叠：在该处无法区分。</translation>
    </message>
    <message>
        <source>Its seeds&apos; range doesn&apos;t overlap that of %1.</source>
        <translation>其各种子的范围与%1不重叠。</translation>
    </message>
    <message>
        <source>At T itself it has %1, the untouched checkpoint %2.</source>
        <translation>在 T 处它为 %1，未改动的检查点为 %2。</translation>
    </message>
    <message>
        <source>One seed each: without a spread nothing tells a difference from chance.</source>
        <translation>每组只有一个种子：没有离散度，就无法把差异与偶然区分开。</translation>
    </message>
    <message>
        <source>Some arms have one seed: of those there is no spread.</source>
        <translation>有的实验组只有一个种子：这些组没有离散度。</translation>
    </message>
    <message>
        <source>With %1 seeds the spread itself is known only roughly.</source>
        <translation>只有 %1 个种子，离散度本身也只是粗略估计。</translation>
    </message>
    <message>
        <source>%1 (seed %2)</source>
        <translation>%1（种子 %2）</translation>
    </message>
    <message>
        <source>%1 (seeds %2)</source>
        <translation>%1（种子 %2）</translation>
    </message>
    <message>
        <source>Not at its planned end: %1; what is said is of the last curve so far.</source>
        <translation>尚未到计划终点：%1；所述为目前最后一条曲线。</translation>
    </message>
    <message>
        <source>Not begun: %1.</source>
        <translation>尚未开始：%1。</translation>
    </message>
    <message>
        <source>Stopped early: %1.</source>
        <translation>提前停止：%1。</translation>
    </message>
    <message>
        <source>Failed, and left out of the numbers: %1.</source>
        <translation>已失败，未计入数值：%1。</translation>
    </message>
    <message>
        <source>The arms are not at the same step: the curves are of steps %1 to %2.</source>
        <translation>各实验组不在同一步：曲线取自第 %1 到 %2 步。</translation>
    </message>
    <message>
        <source>Measured up to position %1, not to %2 (%3): how it goes on isn&apos;t known.</source>
        <translation>只测量到位置 %1，未到 %2（%3）：之后如何尚不清楚。</translation>
    </message>
    <message>
        <source>Without the zero-state control it isn&apos;t known how much of this is training as such.</source>
        <translation>没有零状态对照组，就不知道其中有多少只是训练本身的作用。</translation>
    </message>
    <message>
        <source>Truncated BPTT reads the text in order, so it saw other windows than the other arms.</source>
        <translation>截断 BPTT 按顺序读文本，因此看到的窗口与其他组不同。</translation>
    </message>
    <message>
        <source>Forked runs did not start from the untouched checkpoint.</source>
        <translation>分叉的运行并非从未改动的检查点开始。</translation>
    </message>
    <message>
        <source>There is nothing to compare yet.</source>
        <translation>还没有可比较的内容。</translation>
    </message>
    <message>
        <source>Nothing has been measured yet.</source>
        <translation>尚未测量任何内容。</translation>
    </message>
    <message>
        <source>Only the untouched checkpoint has been measured so far.</source>
        <translation>目前只测量了未改动的检查点。</translation>
    </message>
    <message>
        <source>Inference waits until training is held or done: Pause, then start here.</source>
        <translation>推理要等训练暂停或结束：先暂停，再从这里开始。</translation>
    </message>
    <message>
        <source>The model is being measured. Inference can start when that has ended; Stop ends it now.</source>
        <translation>正在测量模型。测量结束后才能推理；“停止”可立即结束测量。</translation>
    </message>
    <message>
        <source>No model is open. Open one, and it can read and write here.</source>
        <translation>没有打开模型。打开一个模型后，它就能在此读写文本。</translation>
    </message>
    <message>
        <source>This model came without a tokenizer, so it can&apos;t read text. Put the tokenizer.json that belongs to it into its folder and open it again.</source>
        <translation>这个模型没有分词器，无法读文本。请把它对应的 tokenizer.json 放入其文件夹后重新打开。</translation>
    </message>
    <message>
        <source>reading the prompt, token %1 of %2</source>
        <translation>正在读提示词，第 %1 / %2 个词元</translation>
    </message>
    <message>
        <source>reading the prompt, token %1</source>
        <translation>正在读提示词，第 %1 个词元</translation>
    </message>
    <message>
        <source>writing, token %1</source>
        <translation>正在书写，第 %1 个词元</translation>
    </message>
    <message>
        <source>held after token %1</source>
        <translation>在第 %1 个词元后暂停</translation>
    </message>
    <message>
        <source>done after token %1</source>
        <translation>在第 %1 个词元后完成</translation>
    </message>
    <message>
        <source>Zero state</source>
        <translation>零状态</translation>
    </message>
    <message>
        <source>h₋₁ = 0, as trained</source>
        <translation>h₋₁ = 0，与训练时相同</translation>
    </message>
    <message>
        <source>Random noise</source>
        <translation>随机噪声</translation>
    </message>
    <message>
        <source>N(0, σ²), one σ</source>
        <translation>N(0, σ²)，同一个 σ</translation>
    </message>
    <message>
        <source>Fitted noise</source>
        <translation>拟合噪声</translation>
    </message>
    <message>
        <source>per layer and head</source>
        <translation>按层和头拟合</translation>
    </message>
    <message>
        <source>State passing</source>
        <translation>状态传递</translation>
    </message>
    <message>
        <source>state of another row</source>
        <translation>取另一行的状态</translation>
    </message>
    <message>
        <source>Truncated BPTT</source>
        <translation>截断 BPTT</translation>
    </message>
    <message>
        <source>same document, carried on</source>
        <translation>同一文档，接续状态</translation>
    </message>
    <message>
        <source>Correlated noise</source>
        <translation>相关噪声</translation>
    </message>
    <message>
        <source>low rank and diagonal</source>
        <translation>低秩加对角</translation>
    </message>
    <message>
        <source>Mixture</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>each row draws its law</source>
        <translation>每行各抽一种方式</translation>
    </message>
    <message>
        <source>seed %1: %2</source>
        <translation>种子 %1：%2</translation>
    </message>
    <message>
        <source>No step yet.</source>
        <translation>还没有训练步。</translation>
    </message>
    <message>
        <source>Measured at the end.</source>
        <translation>结束时测量。</translation>
    </message>
    <message>
        <source>Waits for its turn.</source>
        <translation>等待轮到它。</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>%1, failed</source>
        <translation>%1，失败</translation>
    </message>
    <message>
        <source>base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>第 %1–%2 步</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, from %2 at %3</source>
        <translation>%1，由%2在第 %3 步分叉</translation>
    </message>
    <message>
        <source>Documents of facts</source>
        <translation>事实文档</translation>
    </message>
    <message>
        <source>The register</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英文</translation>
    </message>
    <message>
        <source>Documents of letters</source>
        <translation>字母文档</translation>
    </message>
    <message>
        <source>Short documents, one after another, each with facts of its own. Past its training length the model still believes the facts of documents that are over.</source>
        <translation>一篇接一篇的短文档，各有自己的事实。超过训练长度后，模型仍相信已结束的文档中的事实。</translation>
    </message>
    <message>
        <source>Keys whose values keep changing. Here the past matters: a state that is taken from another text does harm.</source>
        <translation>键的值不断变化。这里过去很重要：取自另一文本的状态有害。</translation>
    </message>
    <message>
        <source>Short documents, one after another, each with pairs of letters of its own.</source>
        <translation>一篇接一篇的短文档，各有自己的字母对。</translation>
    </message>
    <message>
        <source>Post-trained with the zero state: the control</source>
        <translation>以零状态后训练：对照</translation>
    </message>
    <message>
        <source>Post-trained with %1</source>
        <translation>以%1后训练</translation>
    </message>
    <message>
        <source>same as recorded</source>
        <translation>与记录相同</translation>
    </message>
    <message>
        <source>differs from recorded</source>
        <translation>与记录不同</translation>
    </message>
    <message>
        <source>The live curves have other positions than the recorded ones.</source>
        <translation>实时曲线的位置与记录的不同。</translation>
    </message>
    <message>
        <source>Live is the same as recorded, to the last bit.</source>
        <translation>实时结果与记录逐位相同。</translation>
    </message>
    <message>
        <source>Live is the same as recorded: no value differs by more than %1 % (allowed on another processor: %2 %).</source>
        <translation>实时结果与记录相同：各值相差不超过 %1 %（在另一处理器上允许 %2 %）。</translation>
    </message>
    <message>
        <source>Live differs from recorded: by %1 % at position %2, in %3.</source>
        <translation>实时结果与记录不同：%3 在位置 %2 处相差 %1 %。</translation>
    </message>
    <message>
        <source>“%1” is no head of this model: write layer.head, layers 0 to %2, heads 0 to %3, or * for all.</source>
        <translation>“%1”不是这个模型的头：请写作 层.头，层为 0 到 %2，头为 0 到 %3，或用 * 表示全部。</translation>
    </message>
    <message>
        <source>%1, experiment, seed %2</source>
        <translation>%1，实验，种子 %2</translation>
    </message>
    <message>
        <source>%1, experiment, %2 seeds</source>
        <translation>%1，实验，%2 个种子</translation>
    </message>
    <message>
        <source>Runs of the experiment, each scored where it ended.</source>
        <translation>实验的各次运行，均在其结束处评分。</translation>
    </message>
    <message>
        <source>an empty token</source>
        <translation>空词元</translation>
    </message>
    <message>
        <source>a space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>a line feed</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Most likely next: %1, %2 %.</source>
        <translation>最可能的下一个：%1，%2 %。</translation>
    </message>
    <message>
        <source>Which tokens this leans on is not known: the model&apos;s matrices are in bfloat16 and have no gradients.</source>
        <translation>不知道它依据哪些词元：模型的矩阵为 bfloat16，没有梯度。</translation>
    </message>
    <message>
        <source>Which tokens this leans on is not known.</source>
        <translation>不知道它依据哪些词元。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>It leans on none of these tokens.</source>
        <translation>它不依据其中任何词元。</translation>
    </message>
    <message>
        <source>It leans most on %1 nats.</source>
        <translation>它主要依据 %1 奈特。</translation>
    </message>
    <message>
        <source>Training is not known: the trained context is not recorded, or longer than what is measured.</source>
        <translation>训练时的情况未知：训练长度没有记录，或超过了所测长度。</translation>
    </message>
    <message>
        <source>A is not pinned: click the state map.</source>
        <translation>未标记 A：请点击状态图。</translation>
    </message>
    <message>
        <source>B is not pinned: Shift+click the state map.</source>
        <translation>未标记 B：请按住 Shift 点击状态图。</translation>
    </message>
    <message>
        <source>The states there are being read.</source>
        <translation>正在读取该处的状态。</translation>
    </message>
    <message>
        <source>There are no states of training to compare with.</source>
        <translation>没有训练时的状态可比较。</translation>
    </message>
    <message>
        <source>Training is what the others are compared with.</source>
        <translation>其他都与训练时比较。</translation>
    </message>
    <message>
        <source>It is not a finite number.</source>
        <translation>它不是有限数。</translation>
    </message>
    <message>
        <source>of the elements of h, all sequences together</source>
        <translation>h 各元素的均值，所有序列合计</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>standard deviation of the elements</source>
        <translation>各元素的标准差</translation>
    </message>
    <message>
        <source>skewness</source>
        <translation>偏度</translation>
    </message>
    <message>
        <source>0 for a Gaussian; above 0: the tail at the right is longer</source>
        <translation>高斯分布为 0；大于 0：右尾更长</translation>
    </message>
    <message>
        <source>Equal elements have no skewness.</source>
        <translation>元素全部相等时没有偏度。</translation>
    </message>
    <message>
        <source>excess kurtosis</source>
        <translation>超额峰度</translation>
    </message>
    <message>
        <source>0 for a Gaussian; above 0: heavier tails</source>
        <translation>高斯分布为 0；大于 0：尾部更重</translation>
    </message>
    <message>
        <source>Equal elements have no kurtosis.</source>
        <translation>元素全部相等时没有峰度。</translation>
    </message>
    <message>
        <source>norm of h</source>
        <translation>h 的范数</translation>
    </message>
    <message>
        <source>Frobenius norm, mean over states</source>
        <translation>Frobenius 范数，对各状态取均值</translation>
    </message>
    <message>
        <source>largest |h|</source>
        <translation>最大 |h|</translation>
    </message>
    <message>
        <source>the element farthest from 0</source>
        <translation>离 0 最远的元素</translation>
    </message>
    <message>
        <source>KS distance</source>
        <translation>KS 距离</translation>
    </message>
    <message>
        <source>Kolmogorov-Smirnov: the largest difference of the distribution functions, to training; 0 to 1</source>
        <translation>Kolmogorov-Smirnov：与训练时分布函数的最大差；0 到 1</translation>
    </message>
    <message>
        <source>Wasserstein-1</source>
        <translation>Wasserstein-1</translation>
    </message>
    <message>
        <source>the area between the distribution functions, to training; in units of h</source>
        <translation>与训练时分布函数之间的面积；以 h 为单位</translation>
    </message>
    <message>
        <source>cosine to h at T</source>
        <translation>与 T 处 h 的余弦</translation>
    </message>
    <message>
        <source>of the whole state, mean over sequences</source>
        <translation>整个状态，对各序列取均值</translation>
    </message>
    <message>
        <source>There is no state at T to compare with.</source>
        <translation>没有 T 处的状态可比较。</translation>
    </message>
    <message>
        <source>effective rank</source>
        <translation>有效秩</translation>
    </message>
    <message>
        <source>exponential of the entropy of the singular values of h; mean over states</source>
        <translation>h 的奇异值之熵的指数；对各状态取均值</translation>
    </message>
    <message>
        <source>It was not computed.</source>
        <translation>没有计算。</translation>
    </message>
    <message>
        <source>1st singular value</source>
        <translation>第一奇异值</translation>
    </message>
    <message>
        <source>the largest, of h as a matrix [P,N]; mean over states</source>
        <translation>把 h 视为矩阵 [P,N] 时最大的奇异值；对各状态取均值</translation>
    </message>
    <message>
        <source>half-life, tokens</source>
        <translation>半衰期（词元）</translation>
    </message>
    <message>
        <source>tokens after which half of the state is left; under training at T</source>
        <translation>状态剩下一半所需的词元数；“训练时”一列取 T 处</translation>
    </message>
    <message>
        <source>The half-life was not measured there.</source>
        <translation>该处没有测量半衰期。</translation>
    </message>
    <message>
        <source>%1: %2 states, %3 elements counted</source>
        <translation>%1：%2 个状态，计入 %3 个元素</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>· %1 earlier</source>
        <translation>· 另有 %1 条较早的</translation>
    </message>
    <message>
        <source>of its value at T</source>
        <translation>与 T 处之比</translation>
    </message>
    <message>
        <source>of its value at %1</source>
        <translation>与位置 %1 处之比</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>漂移</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>%1 holds nothing that could be drawn.</source>
        <translation>%1 中没有可画的内容。</translation>
    </message>
    <message>
        <source>There is no plot &quot;%1&quot; of %2; there are: %3.</source>
        <translation>%2 没有“%1”这张图；可用的有：%3。</translation>
    </message>
    <message>
        <source>A picture of %1 x %2 pixels does not fit into memory.</source>
        <translation>%1 x %2 像素的图片放不进内存。</translation>
    </message>
    <message>
        <source>The picture &quot;%1&quot; could not be made: %2.</source>
        <translation>无法生成图片“%1”：%2。</translation>
    </message>
    <message>
        <source>Norm of the state of every head over position</source>
        <translation>各头状态的范数随位置的变化</translation>
    </message>
    <message>
        <source>Standard deviation of the state of every head</source>
        <translation>各头状态的标准差</translation>
    </message>
    <message>
        <source>Largest |h| of the state of every head</source>
        <translation>各头状态的最大 |h|</translation>
    </message>
    <message>
        <source>Drift of the state of every head</source>
        <translation>各头状态的漂移</translation>
    </message>
    <message>
        <source>Norm of the state over position</source>
        <translation>状态的范数随位置的变化</translation>
    </message>
    <message>
        <source>Perplexity by position</source>
        <translation>各位置的困惑度</translation>
    </message>
    <message>
        <source>Effective remembrance</source>
        <translation>有效记忆（EffRem）</translation>
    </message>
    <message>
        <source>Effective remembrance, %1</source>
        <translation>有效记忆（EffRem），%1</translation>
    </message>
    <message>
        <source>Elements of the state, %1</source>
        <translation>状态的元素，%1</translation>
    </message>
    <message>
        <source>QQ plot against a Gaussian, %1</source>
        <translation>与高斯分布的 QQ 图，%1</translation>
    </message>
    <message>
        <source>Spectrum of the elements&apos; correlation, %1</source>
        <translation>元素相关的谱，%1</translation>
    </message>
    <message>
        <source>Hidden attention</source>
        <translation>隐式注意力</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>载入中</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Can be changed once the model is loaded.</source>
        <translation>模型载入后可以更改。</translation>
    </message>
    <message>
        <source>Can be changed when training is paused or has ended.</source>
        <translation>训练暂停或结束后可以更改。</translation>
    </message>
    <message>
        <source>Can be changed when measuring has ended.</source>
        <translation>测量结束后可以更改。</translation>
    </message>
    <message>
        <source>Can be changed when the experiment is paused or has ended.</source>
        <translation>实验暂停或结束后可以更改。</translation>
    </message>
    <message>
        <source>Can be changed once the run has stopped.</source>
        <translation>运行停止后可以更改。</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练时</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>fitted law (%1)</source>
        <translation>拟合的分布（%1）</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 TB</source>
        <translation>%1 TB</translation>
    </message>
    <message>
        <source>Farstate report</source>
        <translation>Farstate 报告</translation>
    </message>
    <message>
        <source>date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The guess</source>
        <translation>猜测</translation>
    </message>
    <message>
        <source>perplexity at position %1</source>
        <translation>位置 %1 处的困惑度</translation>
    </message>
    <message>
        <source>The answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>not answered</source>
        <translation>未作答</translation>
    </message>
    <message>
        <source>%1: right</source>
        <translation>%1：正确</translation>
    </message>
    <message>
        <source>%1: wrong; right is: %2</source>
        <translation>%1：错误；正确的是：%2</translation>
    </message>
    <message>
        <source>perplexity in [T/2, T)</source>
        <translation>[T/2, T) 内的困惑度</translation>
    </message>
    <message>
        <source>perplexity in [8T, 16T)</source>
        <translation>[8T, 16T) 内的困惑度</translation>
    </message>
    <message>
        <source>effective remembrance at half</source>
        <translation>一半处的有效记忆</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>测量结果</translation>
    </message>
    <message>
        <source>Recipes</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; a story&apos;s files have at most %3 each.</source>
        <translation>%1 有 %2 字节；课程的每个文件最多 %3 字节。</translation>
    </message>
    <message>
        <source>%1 is no UTF-8 text. Save it as UTF-8.</source>
        <translation>%1 不是 UTF-8 文本。请存为 UTF-8。</translation>
    </message>
    <message>
        <source>Scoring waits until training is held or done: Pause, then score here.</source>
        <translation>评分要等训练暂停或结束：先暂停，再在此评分。</translation>
    </message>
    <message>
        <source>The model is being measured. Scoring can start when that has ended; Stop ends it now.</source>
        <translation>正在测量模型。测量结束后才能评分；“停止”可立即结束测量。</translation>
    </message>
    <message>
        <source>An experiment is at work. Its runs are scored where its recipe names this task; the model on screen can be scored when it is paused or has ended.</source>
        <translation>实验正在进行。如果配方中写有此任务，其各次运行会被评分；屏幕上的模型要等实验暂停或结束后才能评分。</translation>
    </message>
    <message>
        <source>No model is open. Open one, and it can be scored here.</source>
        <translation>没有打开模型。打开一个模型后，即可在此评分。</translation>
    </message>
    <message>
        <source>This model came without a tokenizer, so it can&apos;t read the task&apos;s text. Put the tokenizer.json that belongs to it into its folder and open it again.</source>
        <translation>这个模型没有分词器，无法读任务的文本。请把它对应的 tokenizer.json 放入其文件夹后重新打开。</translation>
    </message>
    <message>
        <source> … %1 letters … </source>
        <translation> … %1 个字母 … </translation>
    </message>
    <message>
        <source> … about %1 tokens … </source>
        <translation> … 约 %1 个词元 … </translation>
    </message>
    <message>
        <source>%1 of %2 (%3)</source>
        <translation>%1 / %2（%3）</translation>
    </message>
    <message>
        <source>%1 seeds from %2 to %3</source>
        <translation>%1 个种子，%2 到 %3</translation>
    </message>
    <message>
        <source>interval %1 to %2</source>
        <translation>区间 %1 到 %2</translation>
    </message>
    <message>
        <source>%1T = %2</source>
        <translation>%1T = %2</translation>
    </message>
    <message>
        <source>%1, so far: </source>
        <translation>%1（目前）：</translation>
    </message>
    <message>
        <source>%1: </source>
        <translation>%1：</translation>
    </message>
    <message>
        <source>up to %1 it is right in %2</source>
        <translation>在 %1以内答对 %2</translation>
    </message>
    <message>
        <source>at %1 it is right in %2</source>
        <translation>在 %1处答对 %2</translation>
    </message>
    <message>
        <source>at %1 in %2, %3</source>
        <translation>在 %1处答对 %2，%3</translation>
    </message>
    <message>
        <source> Best there: %1 with %2 (%3)%4</source>
        <translation>该处最好的是%1，为 %2（%3）%4</translation>
    </message>
    <message>
        <source>; the ranges overlap.</source>
        <translation>；范围有重叠。</translation>
    </message>
    <message>
        <source> %1, there: %2 (%3).</source>
        <translation>该处%1为 %2（%3）。</translation>
    </message>
    <message>
        <source>Passkey</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>BABILong</source>
        <translation>BABILong</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Register</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>A key of five digits is hidden in a long text and asked for at its end.</source>
        <translation>一个五位数密钥藏在长文本中，结尾处提问。</translation>
    </message>
    <message>
        <source>Facts about people and things are hidden in a long text; a question follows.</source>
        <translation>关于人和物的事实藏在长文本中，随后提问。</translation>
    </message>
    <message>
        <source>A string of letters is to be written once more, also longer ones than were trained.</source>
        <translation>把一串字母再写一遍，也包括比训练时更长的字母串。</translation>
    </message>
    <message>
        <source>Keys whose values change as the text goes on; after a key its newest value is to follow.</source>
        <translation>键的值随文本不断变化；每个键之后应接其最新的值。</translation>
    </message>
    <message>
        <source>qa1: one fact</source>
        <translation>qa1：一个事实</translation>
    </message>
    <message>
        <source>qa2: two facts</source>
        <translation>qa2：两个事实</translation>
    </message>
    <message>
        <source>qa3: three facts</source>
        <translation>qa3：三个事实</translation>
    </message>
    <message>
        <source>qa4: two things related</source>
        <translation>qa4：两物之间的关系</translation>
    </message>
    <message>
        <source>qa5: who gave what to whom</source>
        <translation>qa5：谁把什么给了谁</translation>
    </message>
    <message>
        <source>qa6: yes or no</source>
        <translation>qa6：是或否</translation>
    </message>
    <message>
        <source>free-running</source>
        <translation>自由续写</translation>
    </message>
    <message>
        <source>text given</source>
        <translation>给定文本</translation>
    </message>
    <message>
        <source>%1 letters</source>
        <translation>%1 个字母</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Wrong.</source>
        <translation>错误。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 letters right.</source>
        <translation>字母正确 %1。</translation>
    </message>
    <message>
        <source>%1 answers right.</source>
        <translation>答案正确 %1。</translation>
    </message>
    <message>
        <source>Right: %1</source>
        <translation>正确：%1</translation>
    </message>
    <message>
        <source> Where there are several seeds, ranges are those of the seeds; else they are Wilson&apos;s 95 % intervals over the trials.</source>
        <translation>有多个种子时，范围指各种子的范围；否则为各试次的 Wilson 95 % 区间。</translation>
    </message>
    <message>
        <source> Intervals are Wilson&apos;s, 95 %, over the trials; it is one seed, and another training may come out otherwise.</source>
        <translation>区间为各试次的 Wilson 95 % 区间；只有一个种子，另一次训练结果可能不同。</translation>
    </message>
    <message>
        <source> Letters of one string hang together, so the intervals are too narrow.</source>
        <translation>同一串中的字母彼此相关，因此区间偏窄。</translation>
    </message>
    <message>
        <source> State passing gives a row the state that an unrelated row left, with values of keys that this row has not set yet: a model can learn to keep them, or to distrust what it carries, and either may cost recall within T.</source>
        <translation>状态传递把一个无关行留下的状态交给本行，其中含有本行尚未设置的键值：模型可能学会保留它们，也可能学会不信任所携带的内容，两者都可能损害 T 以内的回忆。</translation>
    </message>
    <message>
        <source>The open text is this task&apos;s: Post-training at the left and the page Experiment train on it, and curves by position are measured on it.</source>
        <translation>打开的文本就是此任务的文本：左侧的“后训练”和“实验”页在其上训练，各位置的曲线也在其上测量。</translation>
    </message>
    <message>
        <source>It isn&apos;t known whether this model has ever read such text. Scores near chance within T say that it has to be trained on the task first.</source>
        <translation>不知道这个模型是否读过此类文本。T 以内的得分接近随机，说明它需要先在此任务上训练。</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>还剩 %1 秒</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>还剩 %1 分钟</translation>
    </message>
    <message>
        <source>%1 h left</source>
        <translation>还剩 %1 小时</translation>
    </message>
    <message>
        <source>%1 s</source>
        <comment>seconds</comment>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>minutes</comment>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <comment>hours</comment>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>about %1 · %2 of memory · %3 on the disk</source>
        <comment>time, bytes, bytes</comment>
        <translation>约 %1 · 内存 %2 · 磁盘 %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s) of %1 steps, %2 a step; %3 for each measurement.</source>
        <translation>
            <numerusform>%Ln 次运行，每次 %1 步，每步 %2；每次测量 %3。</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory of one: weights %1, optimizer %2, gradients %3, activations %4, states %5; the program and what is open %6.</source>
        <translation>单次运行的内存：权重 %1，优化器 %2，梯度 %3，激活 %4，状态 %5；程序及已打开的内容 %6。</translation>
    </message>
    <message>
        <source>Times are extrapolated from %1 of this work, done here just now; memory and disk are computed from the sizes.</source>
        <translation>时间由刚才在这台机器上完成的 %1 的同类工作外推得出；内存和磁盘由大小计算得出。</translation>
    </message>
    <message>
        <source>Go through every page without a person, with pictures in both themes and languages and two sizes, and end.</source>
        <translation>无人操作地走过每个页面，在两种主题、两种语言和两种尺寸下截图，然后结束。</translation>
    </message>
    <message>
        <source>This model was trained on such text.</source>
        <translation>这个模型是用这类文本训练的。</translation>
    </message>
    <message>
        <source>This built-in model has read nothing like this task: what it answers says little until it is trained on it.</source>
        <translation>这个内置模型没有读过类似这项任务的内容：在针对它训练之前，它的回答说明不了什么。</translation>
    </message>
    <message>
        <source>Standard deviation of the state&apos;s elements by position</source>
        <translation>状态元素的标准差随位置的变化</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>standard deviation of the state</source>
        <translation>状态的标准差</translation>
    </message>
    <message>
        <source>effective remembrance</source>
        <translation>有效记忆（EffRem）</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>%1, low</source>
        <translation>%1，下限</translation>
    </message>
    <message>
        <source>%1, high</source>
        <translation>%1，上限</translation>
    </message>
    <message>
        <source>Comparison of initial states</source>
        <translation>初始状态的比较</translation>
    </message>
    <message>
        <source>What it shows</source>
        <translation>结果说明</translation>
    </message>
    <message>
        <source>What it leaves open</source>
        <translation>尚未回答的问题</translation>
    </message>
    <message>
        <source>Perplexity at a position</source>
        <translation>指定位置的困惑度</translation>
    </message>
    <message>
        <source>Measured on one text, with the model as it is: another text gives other numbers, and a difference between two trained models may be chance. How far chance carries, several seeds show, with the zero state as their control.</source>
        <translation>仅在一段文本上、用当前的模型测得：换一段文本，数字就会不同；两个训练后模型之间的差别也可能出于偶然。偶然的影响有多大，要用多个种子、并以零状态为对照组才能看出。</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共用</translation>
    </message>
    <message>
        <source>Measure without a person how the window keeps up, with so many seconds of training in the end, print it, and end.</source>
        <translation>无人操作地测量窗口的反应，最后训练这么多秒，打印结果，然后结束。</translation>
    </message>
    <message>
        <source>Print versions, the machine, settings, paths and the last lines of the log, and end.</source>
        <translation>打印版本、机器、设置、路径和日志的最后几行，然后结束。</translation>
    </message>
    <message>
        <source>A built-in model, a folder, a file inside one, or a session.</source>
        <translation>内置模型、文件夹、其中的文件，或会话。</translation>
    </message>
    <message>
        <source>h₋₁ = 0: how models are usually trained, and the control of all others.</source>
        <translation>h₋₁ = 0：模型通常这样训练，也是其他各种的对照。</translation>
    </message>
    <message>
        <source>h₋₁ ~ N(0, σ²), independent for every element. Buitrago Ruiz and Gu 2025, section 4.</source>
        <translation>h₋₁ ~ N(0, σ²)，各元素独立。Buitrago Ruiz and Gu 2025，第 4 节。</translation>
    </message>
    <message>
        <source>h₋₁ ~ N(mean, std²) of the states that training windows end in, per layer and head. Buitrago Ruiz and Gu 2025, section 4.</source>
        <translation>h₋₁ ~ N(均值, 标准差²)，按层和头拟合训练窗口的末状态。Buitrago Ruiz and Gu 2025，第 4 节。</translation>
    </message>
    <message>
        <source>h₋₁ is the state in which another, unrelated window ended. Buitrago Ruiz and Gu 2025, section 4.</source>
        <translation>h₋₁ 是另一个无关窗口结束时的状态。Buitrago Ruiz and Gu 2025，第 4 节。</translation>
    </message>
    <message>
        <source>h₋₁ is the state in which the window before in the same text ended; no gradient flows back. Buitrago Ruiz and Gu 2025, section 4.</source>
        <translation>h₋₁ 是同一文本中前一窗口结束时的状态；梯度不回传。Buitrago Ruiz and Gu 2025，第 4 节。</translation>
    </message>
    <message>
        <source>h₋₁ = mean + Σ z f + ε: Gaussian with the strongest directions of real states. Not in the paper; docs/METHODS.md.</source>
        <translation>h₋₁ = 均值 + Σ z f + ε：带有真实状态最强方向的高斯分布。论文中没有；见 docs/METHODS.md。</translation>
    </message>
    <message>
        <source>Each row draws one of several laws by its weight. Not in the paper; docs/METHODS.md.</source>
        <translation>每行按权重从几种规律中抽取一种。论文中没有；见 docs/METHODS.md。</translation>
    </message>
    <message>
        <source>The state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Model and text</source>
        <translation>模型与文本</translation>
    </message>
    <message>
        <source>Initial states</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>The inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Generating</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Comparing initial states</source>
        <translation>比较初始状态</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>理论</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>click, Shift+click</source>
        <translation>单击，Shift+单击</translation>
    </message>
    <message>
        <source>pin position A, position B</source>
        <translation>标记位置 A，位置 B</translation>
    </message>
    <message>
        <source>double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>follow the data again</source>
        <translation>重新跟随数据</translation>
    </message>
    <message>
        <source>wheel, Shift+wheel</source>
        <translation>滚轮，Shift+滚轮</translation>
    </message>
    <message>
        <source>zoom the position, the value</source>
        <translation>缩放位置轴，数值轴</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>move the view, or a pin by its badge</source>
        <translation>移动视图，或拖动标记</translation>
    </message>
    <message>
        <source>move pin A; with Shift, pin B</source>
        <translation>移动标记 A；按住 Shift 移动标记 B</translation>
    </message>
    <message>
        <source>the next head</source>
        <translation>相邻的头</translation>
    </message>
    <message>
        <source>the next layer</source>
        <translation>相邻的层</translation>
    </message>
    <message>
        <source>remove the pin</source>
        <translation>移除标记</translation>
    </message>
    <message>
        <source>In a plot</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>Short English stories of a grammar, read word by word. Perplexity of all words as measured: 2.1 from T/2 to T, about 1,700 from 8T to 16T; after state passing 2.4.</source>
        <translation>由语法生成的英文短故事，逐词阅读。实测全部词的困惑度：T/2 到 T 为 2.1，8T 到 16T 约为 1,700；状态传递之后为 2.4。</translation>
    </message>
    <message>
        <source>%1, post-trained demo</source>
        <translation>%1，后训练演示</translation>
    </message>
    <message>
        <source>post-trained demo</source>
        <translation>后训练演示</translation>
    </message>
    <message>
        <source>%1, earlier</source>
        <translation>%1，较早</translation>
    </message>
    <message>
        <source>%1, %2 steps</source>
        <translation>%1，%2 步</translation>
    </message>
    <message>
        <source>%1 as loaded</source>
        <translation>%1（载入时）</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::AccuracyMap</name>
    <message>
        <source>%1 at depth %2: %3</source>
        <translation>%1，深度 %2：%3</translation>
    </message>
    <message>
        <source>%1 tokens, depth %2</source>
        <translation>%1 个词元，深度 %2</translation>
    </message>
    <message>
        <source>not scored yet</source>
        <translation>尚未评分</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>digitised from the paper</source>
        <translation>由论文图表数字化得到</translation>
    </message>
    <message>
        <source>right</source>
        <translation>答对</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 seeds, lowest and highest</source>
        <translation>%1 个种子，最低与最高</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>scored so far</source>
        <translation>目前已评分</translation>
    </message>
    <message>
        <source>depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>T = %1</source>
        <translation>T = %1</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ArmPlot</name>
    <message>
        <source>position (tokens)</source>
        <translation>位置（词元）</translation>
    </message>
    <message>
        <source>optimiser step</source>
        <translation>优化步</translation>
    </message>
    <message>
        <source>dropped tokens</source>
        <translation>丢弃的词元数</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 tokens dropped</source>
        <translation>丢弃 %1 个词元</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>arm, what its plot shows</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ArmSwitch</name>
    <message>
        <source>Base, as loaded</source>
        <translation>基准（载入时）</translation>
    </message>
    <message>
        <source>always measured</source>
        <translation>总是测量</translation>
    </message>
    <message>
        <source>the control: training as such</source>
        <translation>对照组：只有训练本身</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ArmTable</name>
    <message>
        <source>Base, as loaded</source>
        <translation>基准（载入时）</translation>
    </message>
    <message>
        <source>%1 (control)</source>
        <translation>%1（对照）</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 seeds, from %2 to %3</source>
        <translation>%1 个种子，%2 到 %3</translation>
    </message>
    <message>
        <source>one run, so no spread</source>
        <translation>只有一次运行，没有离散度</translation>
    </message>
    <message>
        <source>smallest of this column; %1</source>
        <translation>本列最小；%1</translation>
    </message>
    <message>
        <source>%1, smallest</source>
        <translation>%1，最小</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>实验组</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <comment>8T, its position</comment>
        <translation>%1
%2</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ArmTableCard</name>
    <message>
        <source>Perplexity at a position</source>
        <translation>指定位置的困惑度</translation>
    </message>
    <message>
        <source>Perplexities of the arms, mean and standard deviation over seeds</source>
        <translation>各实验组的困惑度，对种子取均值和标准差</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>作为文本</translation>
    </message>
    <message>
        <source>As CSV</source>
        <translation>作为 CSV</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>at step %1, recorded</source>
        <translation>第 %1 步的记录</translation>
    </message>
    <message>
        <source>mean ± standard deviation over seeds</source>
        <translation>对种子取均值 ± 标准差</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ArmsCard</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs of the experiment</source>
        <translation>实验的各次运行</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop and measure</source>
        <translation>停止并测量</translation>
    </message>
    <message>
        <source>Extend by…</source>
        <translation>延长…</translation>
    </message>
    <message>
        <source>Show only this arm</source>
        <translation>只显示此组</translation>
    </message>
    <message>
        <source>Hide this arm</source>
        <translation>隐藏此组</translation>
    </message>
    <message>
        <source>Show all arms</source>
        <translation>显示所有组</translation>
    </message>
    <message>
        <source>Copy recipe of the run</source>
        <translation>复制此运行的配方</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>打开其文件夹</translation>
    </message>
    <message>
        <source>Copy the command that resumes it</source>
        <translation>复制继续运行的命令</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>Fork with</source>
        <translation>分叉并采用</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>stages, time left</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Show this arm</source>
        <translation>显示此组</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>延长</translation>
    </message>
    <message>
        <source>Steps more than planned:</source>
        <translation>比计划多的步数：</translation>
    </message>
    <message>
        <source>filter arms</source>
        <translation>筛选实验组</translation>
    </message>
    <message>
        <source>Filter of the arms</source>
        <translation>实验组筛选</translation>
    </message>
    <message>
        <source>Words of the name: other arms leave the list, the plots and the table.</source>
        <translation>名称中的文字：其余实验组从列表、图和表中隐去。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ArmsModel</name>
    <message>
        <source>%1–%2</source>
        <translation>%1–%2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Base, as loaded</source>
        <translation>基准（载入时）</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>已测量</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>%1 seeds</source>
        <translation>%1 个种子</translation>
    </message>
    <message>
        <source>The untouched checkpoint, which all arms start from.</source>
        <translation>未改动的检查点，所有实验组都从它开始。</translation>
    </message>
    <message>
        <source>Of its own work, by its pace so far.</source>
        <translation>按目前速度估计的自身剩余工作。</translation>
    </message>
    <message>
        <source>Seed %1: %2</source>
        <translation>种子 %1：%2</translation>
    </message>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，种子 %2</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>实验组</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>loss now, nats</source>
        <translation>当前损失（奈特）</translation>
    </message>
    <message>
        <source>time left</source>
        <translation>剩余时间</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::AttentionPanel</name>
    <message>
        <source>Hidden attention</source>
        <translation>隐式注意力</translation>
    </message>
    <message>
        <source>row: token written at · column: token read</source>
        <translation>行：写出处的词元 · 列：读取的词元</translation>
    </message>
    <message>
        <source>M[i][j] of y_i = Σ M[i][j] x_j: how much of the input at token j the head still holds and reads out at token i. At the left: the share that comes from before the window.</source>
        <translation>y_i = Σ M[i][j] x_j 中的 M[i][j]：该头在词元 i 处仍保留并读出多少词元 j 处的输入。左侧：来自窗口之前的份额。</translation>
    </message>
    <message>
        <source>Tokens of the window</source>
        <translation>窗口中的词元</translation>
    </message>
    <message>
        <source>The focus is now on %1.</source>
        <translation>现在关注的是%1。</translation>
    </message>
    <message>
        <source>The last pin is now at %1.</source>
        <translation>最后的标记现在位于 %1。</translation>
    </message>
    <message>
        <source>Older: %1 Reading anew.</source>
        <translation>较旧：%1 正在重新读取。</translation>
    </message>
    <message>
        <source>The answer holds no attention: pin a position that has tokens before it.</source>
        <translation>结果中没有注意力：请标记一个前面有词元的位置。</translation>
    </message>
    <message>
        <source>Pin a position in the state map: here is what the head in focus reads from the tokens before it, and which of them the prediction leans on.</source>
        <translation>请在状态图中标记一个位置：这里显示所关注的头从之前的词元中读取什么，以及预测依据其中哪些。</translation>
    </message>
    <message>
        <source>%1 · tokens %2 to %3</source>
        <translation>%1 · 词元 %2 到 %3</translation>
    </message>
    <message>
        <source>at token %1</source>
        <translation>在词元 %1 处</translation>
    </message>
    <message>
        <source>from before the window</source>
        <translation>来自窗口之前</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>reads token %1</source>
        <translation>读取词元 %1</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 奈特</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;■&lt;/span&gt; supports the prediction &amp;nbsp; &lt;span style=&apos;color:%2&apos;&gt;■&lt;/span&gt; opposes it &amp;nbsp; up to %3 nats</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;■&lt;/span&gt; 支持预测 &amp;nbsp; &lt;span style=&apos;color:%2&apos;&gt;■&lt;/span&gt; 反对预测 &amp;nbsp; 最多 %3 奈特</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>its text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>leaning (nats)</source>
        <translation>依赖程度（奈特）</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Callout</name>
    <message>
        <source>No more hints</source>
        <translation>不再提示</translation>
    </message>
    <message>
        <source>Never show hints again. The Help menu brings them back.</source>
        <translation>以后不再显示提示。可在“帮助”菜单中恢复。</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::CardReader</name>
    <message>
        <source>%1: the card has no title. Its first line must be &quot;# &quot; and the title.</source>
        <translation>%1：卡片没有标题。第一行必须是“# ”加标题。</translation>
    </message>
    <message>
        <source>%1: the card has no task. Put it under the heading &quot;## Task&quot;.</source>
        <translation>%1：卡片没有任务。请写在标题“## Task”之下。</translation>
    </message>
    <message>
        <source>%1: the card has a second title, &quot;%2&quot;. A card has one; further headings start with &quot;###&quot;.</source>
        <translation>%1：卡片有第二个标题“%2”。一张卡片只有一个标题；其余标题以“###”开头。</translation>
    </message>
    <message>
        <source>%1: the heading &quot;## %2&quot; is unknown. There are &quot;## Task&quot;, &quot;## Done&quot; and &quot;## Question&quot;, in every language; headings of the text start with &quot;###&quot;.</source>
        <translation>%1：未知标题“## %2”。各语言中都只有“## Task”、“## Done”和“## Question”；正文标题以“###”开头。</translation>
    </message>
    <message>
        <source>%1: the first line is &quot;%2&quot;, and must be &quot;# &quot; and the card&apos;s title.</source>
        <translation>%1：第一行是“%2”，而它必须是“# ”加卡片标题。</translation>
    </message>
    <message>
        <source>%1: a question has two right answers, the second one is &quot;%2&quot;. Mark one of them by &quot;- [x]&quot;.</source>
        <translation>%1：一个问题有两个正确答案，第二个是“%2”。请只用“- [x]”标出其中一个。</translation>
    </message>
    <message>
        <source>%1: a question has no words. They come right below &quot;## Question&quot;.</source>
        <translation>%1：一个问题没有文字。应紧接在“## Question”之下。</translation>
    </message>
    <message>
        <source>%1: the question &quot;%2&quot; needs two or more answers, as lines &quot;- [ ] answer&quot;.</source>
        <translation>%1：问题“%2”需要两个或更多答案，每行写作“- [ ] 答案”。</translation>
    </message>
    <message>
        <source>%1: the question &quot;%2&quot; has no right answer. Mark it by &quot;- [x]&quot;.</source>
        <translation>%1：问题“%2”没有正确答案。请用“- [x]”标出。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ComparisonModel</name>
    <message>
        <source>Base, as loaded</source>
        <translation>基准（载入时）</translation>
    </message>
    <message>
        <source>%1 · now</source>
        <translation>%1 · 当前</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>measured at position %1</source>
        <translation>在位置 %1 测得</translation>
    </message>
    <message>
        <source>%1, measured at position %2</source>
        <translation>%1，在位置 %2 测得</translation>
    </message>
    <message>
        <source>perplexity at position</source>
        <translation>各位置的困惑度</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>T = %1</source>
        <translation>T = %1</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ComparisonSetup</name>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Start another</source>
        <translation>另开一次比较</translation>
    </message>
    <message>
        <source>End this comparison as it stands and start one as it is set up now</source>
        <translation>就此结束本次比较，按当前设置开始新的比较</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>End all runs where they are, and measure them there</source>
        <translation>在当前位置结束所有运行，并就地测量</translation>
    </message>
    <message>
        <source>The untouched checkpoint: what all arms start from and are compared with.</source>
        <translation>未改动的检查点：所有实验组都从它开始，并与它比较。</translation>
    </message>
    <message>
        <source>More arms: a law and the settings in which it differs, key=value, separated by colons; arms separated by commas</source>
        <translation>更多实验组：方式名加上不同的设置（键=值），以冒号分隔；各组以逗号分隔</translation>
    </message>
    <message>
        <source>more arms</source>
        <translation>更多实验组</translation>
    </message>
    <message>
        <source>about 10 in all</source>
        <translation>共约 10 条</translation>
    </message>
    <message>
        <source>Steps between two curves of the held-out text, which the slider goes through; they cost time. Fewer where a curve costs more than the training between</source>
        <translation>留出文本上相邻两条曲线之间的步数，滑块会依次经过它们；它们要花时间。若一条曲线比其间的训练还费时，则会减少</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子数</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>curve every (steps)</source>
        <translation>曲线间隔（步）</translation>
    </message>
    <message>
        <source>Order of the runs</source>
        <translation>运行顺序</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>交替进行</translation>
    </message>
    <message>
        <source>one after another</source>
        <translation>依次进行</translation>
    </message>
    <message>
        <source>Interleaved: runs take turns of a few steps, so that all curves grow together</source>
        <translation>交替进行：各运行轮流走几步，使所有曲线一起增长</translation>
    </message>
    <message>
        <source>Where runs are kept</source>
        <translation>运行保存在哪里</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder for the runs</source>
        <translation>运行的文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Needs the weights of its laws: set them at the left, or write the arm below.</source>
        <translation>需要各方式的权重：请在左侧设置，或在下方写出该组。</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>stated</source>
        <translation>文中写明</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>unknown: our choice</source>
        <translation>未知：我们的选择</translation>
    </message>
    <message>
        <source>Choose at least one arm.</source>
        <translation>请至少选择一个实验组。</translation>
    </message>
    <message>
        <source>The arm &quot;%1&quot; is there twice.</source>
        <translation>实验组“%1”出现了两次。</translation>
    </message>
    <message>
        <source>Name the folder for the runs.</source>
        <translation>请填写运行的文件夹。</translation>
    </message>
    <message>
        <source>From the left: T = %1, batch of %2 rows, learning rate %3; measured over %4 tokens of %5 sequences. Seeds %6.</source>
        <translation>取自左侧：T = %1，批量 %2 行，学习率 %3；在 %5 个序列的 %4 个词元上测量。种子 %6。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 · %2 %</source>
        <comment>phase, share</comment>
        <translation>%1 · %2 %</translation>
    </message>
    <message>
        <source>Find rate…</source>
        <translation>寻找学习率…</translation>
    </message>
    <message>
        <source>Try learning rates from small to large and see where the loss turns</source>
        <translation>从小到大尝试学习率，看损失在哪里转折</translation>
    </message>
    <message>
        <source>beside the store</source>
        <translation>在存储库旁</translation>
    </message>
    <message>
        <source>in a folder</source>
        <translation>在文件夹中</translation>
    </message>
    <message>
        <source>The store keeps recipes, curves and events. The trained models are kept in a folder, beside the store or where you say, so that they can be loaded and gone on with.</source>
        <translation>存储库保存配方、曲线和事件。训练好的模型保存在文件夹中，位于存储库旁或您指定的位置，以便之后载入并继续。</translation>
    </message>
    <message>
        <source>It needs about %1 of memory, and there are %2; %3.</source>
        <translation>约需 %1 内存，而现有 %2；%3。</translation>
    </message>
    <message>
        <source>choose a smaller batch or model</source>
        <translation>请选择更小的批量或模型</translation>
    </message>
    <message>
        <source>Its weights need about %1 on the disk, and %2 are free there: choose fewer arms or seeds, or another folder.</source>
        <translation>其权重约需 %1 磁盘空间，而那里只剩 %2：请减少实验组或种子，或选择另一个文件夹。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::CurveLegend</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::EffremPlot</name>
    <message>
        <source>JS</source>
        <translation>JS</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>agree</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>TV</source>
        <translation>TV</translation>
    </message>
    <message>
        <source>Jensen-Shannon divergence, nats</source>
        <translation>Jensen-Shannon 散度（奈特）</translation>
    </message>
    <message>
        <source>Kullback-Leibler divergence, nats</source>
        <translation>Kullback-Leibler 散度（奈特）</translation>
    </message>
    <message>
        <source>agreement on the likeliest token</source>
        <translation>最可能词元的一致率</translation>
    </message>
    <message>
        <source>total variation</source>
        <translation>总变差</translation>
    </message>
    <message>
        <source>Effective remembrance</source>
        <translation>有效记忆（EffRem）</translation>
    </message>
    <message>
        <source>dropped tokens t</source>
        <translation>丢弃的词元数 t</translation>
    </message>
    <message>
        <source>▲ 0 at t = 0, by definition</source>
        <translation>▲ t = 0 处按定义为 0</translation>
    </message>
    <message>
        <source>dropped tokens t of %1</source>
        <translation>丢弃的词元数 t，共 %1</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>%1 tokens dropped</source>
        <translation>丢弃 %1 个词元</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 到 %3）</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::EndingNotice</name>
    <message>
        <source>Farstate</source>
        <translation>Farstate</translation>
    </message>
    <message>
        <source>Farstate is finishing…</source>
        <translation>Farstate 正在收尾…</translation>
    </message>
    <message>
        <source>End now</source>
        <translation>立即结束</translation>
    </message>
    <message>
        <source>Files stay whole; what was not saved yet is lost.</source>
        <translation>文件保持完整；尚未保存的内容会丢失。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ExperimentPanel</name>
    <message>
        <source>Nothing is compared yet</source>
        <translation>尚未比较</translation>
    </message>
    <message>
        <source>What it shows</source>
        <translation>结果说明</translation>
    </message>
    <message>
        <source>What the comparison shows</source>
        <translation>比较的结果说明</translation>
    </message>
    <message>
        <source>What it leaves open</source>
        <translation>尚未回答的问题</translation>
    </message>
    <message>
        <source>Choose arms above and start: each is trained from the checkpoint as loaded, on the same windows with the same budget, and only the law of its initial state differs. Keep the zero state among them: it is the control that shows what training as such does. Three seeds show how far chance carries.</source>
        <translation>在上方选择实验组并开始：每组都从载入的检查点出发，在相同的窗口上以相同的预算训练，只有初始状态的方式不同。请保留零状态：它是对照组，显示训练本身的作用。三个种子可以看出偶然性有多大。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ExportSheet</name>
    <message>
        <source>Save…</source>
        <translation>存盘…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Pixels of the picture</source>
        <translation>图像像素</translation>
    </message>
    <message>
        <source>Ground of the picture</source>
        <translation>图像底色</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Which data</source>
        <translation>哪些数据</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>what is in view</source>
        <translation>视图中的部分</translation>
    </message>
    <message>
        <source>Plot or table</source>
        <translation>图或表</translation>
    </message>
    <message>
        <source>Width and height</source>
        <translation>宽与高</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>The recipe is written into the file.</source>
        <translation>文件中会写入配方。</translation>
    </message>
    <message>
        <source>Width of the picture</source>
        <translation>图像宽度</translation>
    </message>
    <message>
        <source>Height of the picture</source>
        <translation>图像高度</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>A plot or a table of this page, as a file</source>
        <translation>将本页的一幅图或一张表导出为文件</translation>
    </message>
    <message>
        <source>There is no plot and no table on this page.</source>
        <translation>本页没有图，也没有表。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Exporter</name>
    <message>
        <source>Copy image</source>
        <translation>复制图像</translation>
    </message>
    <message>
        <source>Copy data</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Image copied: %1</source>
        <translation>已复制图像：%1</translation>
    </message>
    <message>
        <source>Data copied: %1</source>
        <translation>已复制数据：%1</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 (*.%2)</source>
        <translation>%1 (*.%2)</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::GeneratePanel</name>
    <message>
        <source>State map</source>
        <translation>状态图</translation>
    </message>
    <message>
        <source>Norms are relative to</source>
        <translation>范数相对于</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>prompt end</source>
        <translation>提示词末尾</translation>
    </message>
    <message>
        <source>Colours are each head&apos;s norm, relative to its largest in this text so far (linear) or to its value at the end of the prompt (logarithmic)</source>
        <translation>颜色表示各头的范数，相对于本文本中目前的最大值（线性），或相对于提示词末尾的值（对数）</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>Of the whole distribution, before temperature and top-p</source>
        <translation>整个分布的熵，未经温度和 top-p 处理</translation>
    </message>
    <message>
        <source>up to %1 tokens a column</source>
        <translation>每列最多 %1 个词元</translation>
    </message>
    <message>
        <source>entropy %1 nats</source>
        <translation>熵 %1 奈特</translation>
    </message>
    <message>
        <source>KL %1 nats from before the edit
Filled: as it is now. Outlined: before.</source>
        <translation>与修改前的 KL 为 %1 奈特
实心：现在。空心：之前。</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>1×</source>
        <translation>1×</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>“%1”, %2</source>
        <translation>“%1”，%2</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>written</source>
        <translation>写出</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::GuessFields</name>
    <message>
        <source>at position %1</source>
        <translation>位置 %1 处</translation>
    </message>
    <message>
        <source>Reveal the curve</source>
        <translation>揭示曲线</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>The curve was not measured where you guessed.</source>
        <translation>你猜测之处没有测量曲线。</translation>
    </message>
    <message>
        <source>Very close: on average you were off by a factor of %1.</source>
        <translation>非常接近：平均相差 %1 倍。</translation>
    </message>
    <message>
        <source>Close: on average you were off by a factor of %1.</source>
        <translation>接近：平均相差 %1 倍。</translation>
    </message>
    <message>
        <source>On average you were off by a factor of %1.</source>
        <translation>平均相差 %1 倍。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::HeadsFilter</name>
    <message>
        <source>There is no column “%1”.</source>
        <translation>没有“%1”这一列。</translation>
    </message>
    <message>
        <source>“%1” is no number.</source>
        <translation>“%1”不是数。</translation>
    </message>
    <message>
        <source>%1 ↑</source>
        <translation>%1 ↑</translation>
    </message>
    <message>
        <source>%1 ↓</source>
        <translation>%1 ↓</translation>
    </message>
    <message>
        <source>layer %1 head %2 %3</source>
        <translation>层 %1 头 %2 %3</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::HeadsModel</name>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Rank by drift: 1 has changed most since T.</source>
        <translation>漂移排名：1 为自 T 以来变化最大者。</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>norm at T</source>
        <translation>T 处范数</translation>
    </message>
    <message>
        <source>Euclidean norm of h after T tokens.</source>
        <translation>T 个词元之后 h 的欧几里得范数。</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Euclidean norm of h.</source>
        <translation>h 的欧几里得范数。</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>漂移</translation>
    </message>
    <message>
        <source>Norm relative to the one at T. Sorted by how far it is from 1, in either direction.</source>
        <translation>相对于 T 处的范数。按其偏离 1 的程度排序，不论方向。</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation of the elements of h.</source>
        <translation>h 各元素的标准差。</translation>
    </message>
    <message>
        <source>half-life</source>
        <translation>半衰期</translation>
    </message>
    <message>
        <source>Tokens after which half of the state is left.</source>
        <translation>状态剩下一半所需的词元数。</translation>
    </message>
    <message>
        <source>decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>Factor that a token leaves of the state, exp(dt A).</source>
        <translation>一个词元之后状态保留的比例，exp(dt A)。</translation>
    </message>
    <message>
        <source>dt</source>
        <translation>dt</translation>
    </message>
    <message>
        <source>Step of a token.</source>
        <translation>每个词元的步长。</translation>
    </message>
    <message>
        <source>written</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Share of the state that a token replaces.</source>
        <translation>一个词元替换的状态份额。</translation>
    </message>
    <message>
        <source>KS</source>
        <translation>KS</translation>
    </message>
    <message>
        <source>Kolmogorov-Smirnov distance of the elements to those in training.</source>
        <translation>各元素与训练时的 Kolmogorov-Smirnov 距离。</translation>
    </message>
    <message>
        <source>eff. rank</source>
        <translation>有效秩</translation>
    </message>
    <message>
        <source>Effective rank of h as a matrix.</source>
        <translation>h 作为矩阵的有效秩。</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Which noise could stand in for the state; looked for when a head is in focus and a position is pinned.</source>
        <translation>哪种噪声可以代替状态；在关注某个头并标记位置时寻找。</translation>
    </message>
    <message>
        <source>one variance suffices</source>
        <translation>一个方差即可</translation>
    </message>
    <message>
        <source>a fit per head suffices</source>
        <translation>按头拟合即可</translation>
    </message>
    <message>
        <source>elements differ</source>
        <translation>各元素不同</translation>
    </message>
    <message>
        <source>not Gaussian</source>
        <translation>非高斯</translation>
    </message>
    <message>
        <source>elements depend on each other</source>
        <translation>元素相互依赖</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>measured at position %1</source>
        <translation>在位置 %1 测得</translation>
    </message>
    <message>
        <source>Not measured. The probe “%1” measures it.</source>
        <translation>未测量。探针“%1”会测量它。</translation>
    </message>
    <message>
        <source>%1 At the end of the text.</source>
        <translation>%1取文本末尾处。</translation>
    </message>
    <message>
        <source>%1 At position %2, pin B.</source>
        <translation>%1取位置 %2（标记 B）处。</translation>
    </message>
    <message>
        <source>norm at B</source>
        <translation>B 处范数</translation>
    </message>
    <message>
        <source>norm at end</source>
        <translation>末尾范数</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::HeadsPanel</name>
    <message>
        <source>Heads in numbers</source>
        <translation>各头的数值</translation>
    </message>
    <message>
        <source>layer 3, drift &gt; 2</source>
        <translation>layer 3, drift &gt; 2</translation>
    </message>
    <message>
        <source>Filter of the heads</source>
        <translation>头的筛选</translation>
    </message>
    <message>
        <source>Words of the name or the verdict, “layer 3”, “head 7”, and comparisons of the columns rank, norm_at_t, norm, drift, std, half_life, decay, dt, written, ks, eff_rank.</source>
        <translation>名称或判定中的字词、“layer 3”、“head 7”，以及对列 rank、norm_at_t、norm、drift、std、half_life、decay、dt、written、ks、eff_rank 的比较。</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Copy the heads shown, as a table separated by tabs</source>
        <translation>把所显示的头复制为以制表符分隔的表格</translation>
    </message>
    <message>
        <source>%1 ↓</source>
        <translation>%1 ↓</translation>
    </message>
    <message>
        <source>%1 heads</source>
        <translation>%1 个头</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::HelpDesk</name>
    <message>
        <source>Explain this</source>
        <translation>解释此处</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>帮助页</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Errors and warnings</source>
        <translation>错误与警告</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <source>Explain: %1</source>
        <translation>解释：%1</translation>
    </message>
    <message>
        <source>There were none.</source>
        <translation>目前没有。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Hints</name>
    <message>
        <source>It was trained only up to here: T = %1</source>
        <translation>它只训练到这里：T = %1</translation>
    </message>
    <message>
        <source>To the right the model reads on, from states that training never showed it.</source>
        <translation>在右侧，模型从训练中从未见过的状态继续读下去。</translation>
    </message>
    <message>
        <source>Change how it starts</source>
        <translation>改变起始状态</translation>
    </message>
    <message>
        <source>Training began each text from a state of zeros. Choose another beginning and see what becomes of the curve.</source>
        <translation>训练时每段文本都从零状态开始。换一种起始状态，看看曲线如何变化。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::HistogramPlot</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Histogram of the elements of h</source>
        <translation>h 各元素的直方图</translation>
    </message>
    <message>
        <source>element of h</source>
        <translation>h 的元素</translation>
    </message>
    <message>
        <source>No histogram in this answer.</source>
        <translation>此结果中没有直方图。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>fitted law</source>
        <translation>拟合的分布</translation>
    </message>
    <message>
        <source>element of h, from</source>
        <translation>h 的元素，自</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>%1, elements</source>
        <translation>%1，元素数</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::HistorySlider</name>
    <message>
        <source>Play how the curves changed over training</source>
        <translation>播放曲线在训练中的变化</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Step of training that is shown</source>
        <translation>所显示的训练步</translation>
    </message>
    <message>
        <source>step %1 of %2, recorded</source>
        <translation>第 %1 / %2 步，记录</translation>
    </message>
    <message>
        <source>nothing recorded yet</source>
        <translation>尚无记录</translation>
    </message>
    <message>
        <source>newest: step %1 of %2</source>
        <translation>最新：第 %1 / %2 步</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>暂停</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::InitialStatePanel</name>
    <message>
        <source>Initial state h₋₁</source>
        <translation>初始状态 h₋₁</translation>
    </message>
    <message>
        <source>standard deviation σ</source>
        <translation>标准差 σ</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>Directions of each head&apos;s state that vary together; beside them every element has noise of its own.</source>
        <translation>各头状态中一起变化的方向数；此外每个元素还有自己的噪声。</translation>
    </message>
    <message>
        <source>P(zero state)</source>
        <translation>P(零状态)</translation>
    </message>
    <message>
        <source>Probability that a row starts from the zero state after all.</source>
        <translation>一行仍从零状态开始的概率。</translation>
    </message>
    <message>
        <source>pass convolution context</source>
        <translation>传递卷积上下文</translation>
    </message>
    <message>
        <source>Also pass on the last inputs of the convolution.</source>
        <translation>同时传递卷积的最后几个输入。</translation>
    </message>
    <message>
        <source>Weight of this law: how often a row draws it beside the others.</source>
        <translation>此方式的权重：一行相对于其他方式抽中它的频率。</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>How the noise is fitted to the states of training</source>
        <translation>噪声如何拟合训练时的状态</translation>
    </message>
    <message>
        <source>States that are fitted</source>
        <translation>用于拟合的状态</translation>
    </message>
    <message>
        <source>final</source>
        <translation>末状态</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>running</source>
        <translation>滚动拟合</translation>
    </message>
    <message>
        <source>states</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>The states that training windows end in, or all of a window&apos;s states.</source>
        <translation>训练窗口的末状态，或窗口的所有状态。</translation>
    </message>
    <message>
        <source>burn-in (tokens)</source>
        <translation>预热（词元）</translation>
    </message>
    <message>
        <source>So many tokens at a window&apos;s start are left out.</source>
        <translation>窗口开头略去的词元数。</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>窗口数</translation>
    </message>
    <message>
        <source>So many windows are read from the zero state before the first step, and the fit is kept; at 0 the windows that are trained on are fitted as they come.</source>
        <translation>第一步之前从零状态读这么多窗口，并保持该拟合；为 0 时对训练所用的窗口边训练边拟合。</translation>
    </message>
    <message>
        <source>momentum</source>
        <translation>动量</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::InspectorPanel</name>
    <message>
        <source>by how much the norm of the head&apos;s state has changed from T to the end of what was measured, up or down</source>
        <translation>按该头状态的范数从 T 到所测末尾的变化大小排名，增减均计</translation>
    </message>
    <message>
        <source>Gaussian of the QQ plot</source>
        <translation>QQ 图所用的高斯分布</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练时</translation>
    </message>
    <message>
        <source>own</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>The Gaussian fitted to training, or to each sample itself</source>
        <translation>对训练时拟合的高斯分布，或对各样本自身拟合的高斯分布</translation>
    </message>
    <message>
        <source>Gaussian of</source>
        <translation>高斯取自</translation>
    </message>
    <message>
        <source>QQ plot</source>
        <translation>QQ 图</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Densities on a log axis, where tails show</source>
        <translation>密度用对数轴，便于看清尾部</translation>
    </message>
    <message>
        <source>Tokens around %1</source>
        <translation>%1 附近的词元</translation>
    </message>
    <message>
        <source>drift rank %1 of %2</source>
        <translation>漂移排名 %1 / %2</translation>
    </message>
    <message>
        <source>Click the state map to pin a position; Shift+click pins a second one.</source>
        <translation>点击状态图可标记一个位置；按住 Shift 点击可标记第二个。</translation>
    </message>
    <message>
        <source>The states at the pins have not been read yet.</source>
        <translation>标记处的状态尚未读取。</translation>
    </message>
    <message>
        <source>The answer holds no states of %1.</source>
        <translation>结果中没有%1的状态。</translation>
    </message>
    <message>
        <source>weights as loaded</source>
        <translation>载入时的权重</translation>
    </message>
    <message>
        <source>weights after %1 steps</source>
        <translation>%1 步后的权重</translation>
    </message>
    <message>
        <source>%1 sequences, %2</source>
        <translation>%1 个序列，%2</translation>
    </message>
    <message>
        <source>%1 is now at %2.</source>
        <translation>%1 现在位于 %2。</translation>
    </message>
    <message>
        <source>%1 has no numbers yet.</source>
        <translation>%1 尚无数值。</translation>
    </message>
    <message>
        <source>Weights of step %1, the newest are of step %2.</source>
        <translation>为第 %1 步的权重，最新的是第 %2 步。</translation>
    </message>
    <message>
        <source>Older: %1 Reading anew.</source>
        <translation>较旧：%1 正在重新读取。</translation>
    </message>
    <message>
        <source>Around %1, in the first sequence</source>
        <translation>%1 附近，第一个序列</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::InterventionRow</name>
    <message>
        <source>%1. Key %2.</source>
        <translation>%1。按键 %2。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::LawCard</name>
    <message>
        <source>A Gaussian fitted per head suffices.</source>
        <translation>按头拟合的高斯分布即可。</translation>
    </message>
    <message>
        <source>Every element needs its own Gaussian.</source>
        <translation>每个元素需要自己的高斯分布。</translation>
    </message>
    <message>
        <source>The elements are not Gaussian.</source>
        <translation>元素不服从高斯分布。</translation>
    </message>
    <message>
        <source>Elements depend on each other.</source>
        <translation>元素相互依赖。</translation>
    </message>
    <message>
        <source>The law of these states was not looked for.</source>
        <translation>没有寻找这些状态的分布规律。</translation>
    </message>
    <message>
        <source>That takes at least %1 sequences, and %2 are measured. Set the number of sequences at the left, under measuring.</source>
        <translation>这至少需要 %1 个序列，而目前测量了 %2 个。请在左侧“测量”中设置序列数。</translation>
    </message>
    <message>
        <source>The law of this head is not known yet.</source>
        <translation>此头的分布规律尚不清楚。</translation>
    </message>
    <message>
        <source>The answer at hand is about another head; the one about this head is on its way.</source>
        <translation>手头的结果属于另一个头；此头的结果正在路上。</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>The first component holds</source>
        <translation>第一主成分占</translation>
    </message>
    <message>
        <source>The first %1 components hold</source>
        <translation>前 %1 个主成分占</translation>
    </message>
    <message>
        <source>%1 %2 of the variance; of independent elements %3. Effective rank of one state %4; if independent %5.</source>
        <translation>%1方差的 %2；元素相互独立时为 %3。单个状态的有效秩为 %4；独立时为 %5。</translation>
    </message>
    <message>
        <source>How elements go together</source>
        <translation>元素之间的关系</translation>
    </message>
    <message>
        <source>Correlation of elements</source>
        <translation>元素的相关</translation>
    </message>
    <message>
        <source>The model: %1</source>
        <translation>整个模型：%1</translation>
    </message>
    <message>
        <source>From %1 states after %2 tokens.</source>
        <translation>取自 %2 个词元之后的 %1 个状态。</translation>
    </message>
    <message>
        <source>elements %1 and %2 of %3</source>
        <translation>第 %1 与第 %2 个元素，共 %3 个</translation>
    </message>
    <message>
        <source>correlation</source>
        <translation>相关</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::LegendList</name>
    <message>
        <source>filter lines</source>
        <translation>筛选曲线</translation>
    </message>
    <message>
        <source>Filter of the lines</source>
        <translation>曲线筛选</translation>
    </message>
    <message>
        <source>Lines of the plot</source>
        <translation>图中的曲线</translation>
    </message>
    <message>
        <source>A box hides a line (Space); a name chooses it.</source>
        <translation>方框隐藏曲线（空格）；点击名称选中它。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::LivePlot</name>
    <message>
        <source>View held · Follow</source>
        <translation>视图已固定 · 跟随</translation>
    </message>
    <message>
        <source>New data does not move this view. Shows all data again, as a double-click does.</source>
        <translation>新数据不会移动此视图。点击则重新显示全部数据，双击亦可。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln point(s) at or below 0: ▲ at the edge</source>
        <translation>
            <numerusform>%Ln 个点不大于 0：在底边以 ▲ 标出</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) not finite, the first at %1</source>
        <translation>
            <numerusform>%Ln 个值不是有限数，首个位于 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s) far outside</source>
        <translation>
            <numerusform>%Ln 个值远在范围之外</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all data</source>
        <translation>显示全部数据</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::LossPlot</name>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>optimiser step</source>
        <translation>优化步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 奈特</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>平滑后</translation>
    </message>
    <message>
        <source>loss (nats)</source>
        <translation>损失（奈特）</translation>
    </message>
    <message>
        <source>initial state</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>smoothed by %1</source>
        <translation>平滑系数 %1</translation>
    </message>
    <message>
        <source>Run (Space) trains: the loss appears here with the first step.</source>
        <translation>“运行”（空格）开始训练：第一步后损失显示在此。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::MainWindow</name>
    <message>
        <source>Farstate</source>
        <translation>Farstate</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Open model file…</source>
        <translation>打开模型文件…</translation>
    </message>
    <message>
        <source>Generated text</source>
        <translation>生成的文本</translation>
    </message>
    <message>
        <source>Open text file…</source>
        <translation>打开文本文件…</translation>
    </message>
    <message>
        <source>Save model as folder…</source>
        <translation>将模型存为文件夹…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Measure now</source>
        <translation>立即测量</translation>
    </message>
    <message>
        <source>Copy recipe</source>
        <translation>复制配方</translation>
    </message>
    <message>
        <source>Show all data</source>
        <translation>显示全部数据</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation>入门课程</translation>
    </message>
    <message>
        <source>Open story…</source>
        <translation>打开课程…</translation>
    </message>
    <message>
        <source>Export report…</source>
        <translation>导出报告…</translation>
    </message>
    <message>
        <source>Presenter view</source>
        <translation>演示视图</translation>
    </message>
    <message>
        <source>Train from the current weights, or hold between two steps</source>
        <translation>从当前权重开始训练，或在两步之间暂停</translation>
    </message>
    <message>
        <source>One optimiser step</source>
        <translation>走一个优化步</translation>
    </message>
    <message>
        <source>End training or measuring; what is complete is kept</source>
        <translation>结束训练或测量；已完成的部分会保留</translation>
    </message>
    <message>
        <source>Back to the weights as loaded, with the same seed</source>
        <translation>回到载入时的权重，种子不变</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>As the system</source>
        <comment>language</comment>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Recent texts</source>
        <translation>最近的文本</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Experiment</source>
        <translation>实验(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>About Farstate</source>
        <translation>关于 Farstate</translation>
    </message>
    <message>
        <source>Recent stories</source>
        <translation>最近的课程</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>Save the model as a folder</source>
        <translation>将模型存为文件夹</translation>
    </message>
    <message>
        <source>recipe copied</source>
        <translation>配方已复制</translation>
    </message>
    <message>
        <source>Open a story&apos;s folder</source>
        <translation>打开课程的文件夹</translation>
    </message>
    <message>
        <source>&lt;b&gt;Farstate %1&lt;/b&gt;</source>
        <translation>&lt;b&gt;Farstate %1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>A laboratory for the hidden state of recurrent language models.
GPL-3.0-or-later. Typeface: Farstate Sans, a version of Inter (Open Font License).</source>
        <translation>循环语言模型隐藏状态的实验室。
GPL-3.0-or-later。字体：Farstate Sans，Inter 的一个版本（Open Font License）。</translation>
    </message>
    <message>
        <source>Untouched: trained from scratch</source>
        <translation>未改动：从头训练</translation>
    </message>
    <message>
        <source>Show post-trained twins at once</source>
        <translation>立即显示后训练的孪生模型</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Measured by this machine, now.</source>
        <translation>由本机现在测得。</translation>
    </message>
    <message>
        <source>Recorded on %1 with the recipe %2. The model is loaded behind; its own sweep replaces these curves from left to right.</source>
        <translation>于 %1 以配方 %2 记录。模型正在后台载入；它自己的扫描会从左到右替换这些曲线。</translation>
    </message>
    <message>
        <source>Export plot or table…</source>
        <translation>导出图或表…</translation>
    </message>
    <message>
        <source>Copy image of the plot</source>
        <translation>复制图的图像</translation>
    </message>
    <message>
        <source>Copy data of the plot</source>
        <translation>复制图的数据</translation>
    </message>
    <message>
        <source>Paste recipe</source>
        <translation>粘贴配方</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>text size</comment>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Teach</source>
        <translation>教学</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>撤销：%1</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>重做：%1</translation>
    </message>
    <message>
        <source>There is no recipe in the clipboard: copy one first, by a click on its chip.</source>
        <translation>剪贴板中没有配方：请先单击配方标签复制一份。</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>pasted recipe</source>
        <translation>粘贴的配方</translation>
    </message>
    <message>
        <source>recipe pasted</source>
        <translation>已粘贴配方</translation>
    </message>
    <message>
        <source>The cards begin with an untouched model, and this one has been trained: Reset (R) brings it back.</source>
        <translation>这些卡片从未改动的模型开始，而当前模型已经训练过：按“重置”（R）可恢复。</translation>
    </message>
    <message>
        <source>%1 was written anew since it was read.</source>
        <translation>%1 自读取以来已被重新写入。</translation>
    </message>
    <message>
        <source>Load again</source>
        <translation>重新载入</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::MemoryBars</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1, too much</source>
        <translation>%1，过大</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ModelPanel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a model; or drop a folder, a file or a text on the window</source>
        <translation>打开模型；也可以把文件夹、文件或文本拖放到窗口上</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>layers × heads</source>
        <translation>层数 × 头数</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>state per head</source>
        <translation>每头状态</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>T = </source>
        <translation>T = </translation>
    </message>
    <message>
        <source>trained on</source>
        <translation>训练长度</translation>
    </message>
    <message>
        <source>The model does not record the context T that it was trained on. State it to see it in the plots.</source>
        <translation>模型没有记录其训练长度 T。请在此填写，图中即会显示。</translation>
    </message>
    <message>
        <source>held-out text</source>
        <translation>留出文本</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>T = %1</source>
        <translation>T = %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>context, initial state</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ModelSheet</name>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>layers × heads</source>
        <translation>层数 × 头数</translation>
    </message>
    <message>
        <source>state per head, P × N</source>
        <translation>每头状态 P × N</translation>
    </message>
    <message>
        <source>model width D</source>
        <translation>模型宽度 D</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组数</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>trained on</source>
        <translation>训练长度</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>read from</source>
        <translation>读自</translation>
    </message>
    <message>
        <source>precision in the file</source>
        <translation>文件中的精度</translation>
    </message>
    <message>
        <source>precision in memory</source>
        <translation>内存中的精度</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Choose tokenizer…</source>
        <translation>选择分词器…</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Looking at the files…</source>
        <translation>正在查看文件…</translation>
    </message>
    <message>
        <source>T = %1</source>
        <translation>T = %1</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等，另有 %2 个</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weights in %1</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>state of one sequence</source>
        <translation>一个序列的状态</translation>
    </message>
    <message>
        <source>measuring, about</source>
        <translation>测量，约</translation>
    </message>
    <message>
        <source>training, about</source>
        <translation>训练，约</translation>
    </message>
    <message>
        <source>%1 available</source>
        <translation>可用 %1</translation>
    </message>
    <message>
        <source>The weights do not fit into the memory that is available now.</source>
        <translation>当前可用内存放不下权重。</translation>
    </message>
    <message>
        <source>The weights do not fit into the memory that is available now; in bfloat16 they need half of what float32 needs.</source>
        <translation>当前可用内存放不下权重；用 bfloat16 只需 float32 的一半。</translation>
    </message>
    <message>
        <source>Measuring with the default settings does not fit: fewer sequences need less.</source>
        <translation>按默认设置测量放不下：减少序列数可少用内存。</translation>
    </message>
    <message>
        <source>It can be measured. Training with the default settings does not fit: a smaller batch or context needs less.</source>
        <translation>可以测量。按默认设置训练放不下：减小批量或长度可少用内存。</translation>
    </message>
    <message>
        <source>Choose a tokenizer</source>
        <translation>选择分词器</translation>
    </message>
    <message>
        <source>Tokenizer (tokenizer.json *.json)</source>
        <translation>分词器 (tokenizer.json *.json)</translation>
    </message>
    <message>
        <source>built into the program</source>
        <translation>内置于程序</translation>
    </message>
    <message>
        <source>the program</source>
        <translation>程序本身</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::MultiplesCard</name>
    <message>
        <source>Every arm</source>
        <translation>各实验组</translation>
    </message>
    <message>
        <source>What the plots show</source>
        <translation>图中显示什么</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>remembrance</source>
        <translation>有效记忆</translation>
    </message>
    <message>
        <source>training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Perplexity by position; standard deviation of the state&apos;s elements by position; effective remembrance; training loss by step</source>
        <translation>各位置的困惑度；各位置状态元素的标准差；有效记忆；各步的训练损失</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>照常</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Scale of the x axes</source>
        <translation>x 轴的刻度</translation>
    </message>
    <message>
        <source>Scale of the y axes</source>
        <translation>y 轴的刻度</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::NextTokenView</name>
    <message>
        <source>Next token</source>
        <translation>下一个词元</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1，概率 %2</translation>
    </message>
    <message>
        <source>&lt;0.01 %</source>
        <translation>&lt;0.01 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>≤%1</source>
        <translation>≤%1</translation>
    </message>
    <message>
        <source>Nothing is predicted yet.</source>
        <translation>尚无预测。</translation>
    </message>
    <message>
        <source>100.0 %</source>
        <translation>100.0 %</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::NormMap</name>
    <message>
        <source>State of every head after each token</source>
        <translation>每个词元之后各头的状态</translation>
    </message>
    <message>
        <source>tokens read</source>
        <translation>已读词元</translation>
    </message>
    <message>
        <source>No state yet: it is drawn as the text is read.</source>
        <translation>尚无状态：读文本时逐步画出。</translation>
    </message>
    <message>
        <source>layer %1, head %2</source>
        <translation>层 %1，头 %2</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>after token %1</source>
        <translation>第 %1 个词元之后</translation>
    </message>
    <message>
        <source>norm %1</source>
        <translation>范数 %1</translation>
    </message>
    <message>
        <source>of its largest so far</source>
        <translation>与目前最大值之比</translation>
    </message>
    <message>
        <source>of its value at the prompt&apos;s end</source>
        <translation>与提示词末尾之比</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::NoticeBanner</name>
    <message>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>复制此消息</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>×%1</source>
        <translation>×%1</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>All errors and warnings so far</source>
        <translation>至今的所有错误与警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>%1  %2  ×%3  %4</source>
        <comment>time, kind, count, text</comment>
        <translation>%1  %2  ×%3  %4</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::NumberTable</name>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::OfferBanner</name>
    <message>
        <source>Offer</source>
        <translation>提议</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::OpenMenu</name>
    <message>
        <source>Nothing was opened yet</source>
        <translation>尚未打开过</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>%1 (missing: remove from list)</source>
        <translation>%1（已缺失：从列表中移除）</translation>
    </message>
    <message>
        <source>%1 is no longer there.</source>
        <translation>%1 已不在原处。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Opening</name>
    <message>
        <source>One model or one text can be opened at a time, and these are %1 files.</source>
        <translation>一次只能打开一个模型或一个文本，而这里有 %1 个文件。</translation>
    </message>
    <message>
        <source>Only files and folders of this machine can be opened.</source>
        <translation>只能打开本机的文件和文件夹。</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>Open a model&apos;s folder</source>
        <translation>打开模型的文件夹</translation>
    </message>
    <message>
        <source>Open a model&apos;s file</source>
        <translation>打开模型的文件</translation>
    </message>
    <message>
        <source>Weights and configurations (*.safetensors *.bin *.json);;All files (*)</source>
        <translation>权重和配置 (*.safetensors *.bin *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a text file</source>
        <translation>打开文本文件</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.jsonl);;All files (*)</source>
        <translation>文本 (*.txt *.md *.jsonl);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The open model was trained and not saved since. Loading ends it as it is: its weights are lost.</source>
        <translation>当前模型训练后尚未保存。载入会就此结束它：其权重将丢失。</translation>
    </message>
    <message>
        <source>This can&apos;t be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>Open as a model</source>
        <translation>作为模型打开</translation>
    </message>
    <message>
        <source>Open as a text</source>
        <translation>作为文本打开</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在载入…</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>正在载入 %1</translation>
    </message>
    <message>
        <source>Open the session</source>
        <translation>打开会话</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::PerplexityPlot</name>
    <message>
        <source>Perplexity by position</source>
        <translation>各位置的困惑度</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1，记录</translation>
    </message>
    <message>
        <source>%1, earlier</source>
        <translation>%1，较早</translation>
    </message>
    <message>
        <source>position (tokens)</source>
        <translation>位置（词元）</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::PlotOverlay</name>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::PlotsPanel</name>
    <message>
        <source>State of every head over position</source>
        <translation>各头状态随位置的变化</translation>
    </message>
    <message>
        <source>How the state is shown</source>
        <translation>状态的显示方式</translation>
    </message>
    <message>
        <source>map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>线</translation>
    </message>
    <message>
        <source>What of the state</source>
        <translation>显示状态的什么</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>漂移</translation>
    </message>
    <message>
        <source>Euclidean norm, standard deviation or largest absolute value of h; or drift, the norm relative to the one at T.</source>
        <translation>h 的欧几里得范数、标准差或最大绝对值；或漂移，即相对于 T 处的范数。</translation>
    </message>
    <message>
        <source>Scale of the position</source>
        <translation>位置的刻度</translation>
    </message>
    <message>
        <source>log t</source>
        <translation>对数 t</translation>
    </message>
    <message>
        <source>linear t</source>
        <translation>线性 t</translation>
    </message>
    <message>
        <source>The position axis of all plots over position.</source>
        <translation>所有以位置为横轴的图的位置轴。</translation>
    </message>
    <message>
        <source>Perplexity by position</source>
        <translation>各位置的困惑度</translation>
    </message>
    <message>
        <source>Tokens that perplexity is over</source>
        <translation>困惑度所计的词元</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>predictable</source>
        <translation>可预测</translation>
    </message>
    <message>
        <source>Predictable: those that can be known from what was read before them in the same sequence. What can&apos;t be known is as hard for any model.</source>
        <translation>可预测：能由同一序列中前文得知的词元。无法得知的词元对任何模型都一样难。</translation>
    </message>
    <message>
        <source>Scale of perplexity</source>
        <translation>困惑度的刻度</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Effective remembrance</source>
        <translation>有效记忆（EffRem）</translation>
    </message>
    <message>
        <source>Scale of remembrance</source>
        <translation>有效记忆的刻度</translation>
    </message>
    <message>
        <source>How the two predictions are compared</source>
        <translation>如何比较两个预测</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>short and full name</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 ▾</source>
        <translation>%1 ▾</translation>
    </message>
    <message>
        <source>How much the prediction at the end changes when the first t tokens are dropped: %1.</source>
        <translation>丢弃前 t 个词元后，末尾的预测改变多少：%1。</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Live, %1</source>
        <translation>实时，%1</translation>
    </message>
    <message>
        <source>State</source>
        <comment>short title</comment>
        <translation>状态</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <comment>short title</comment>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Remembrance</source>
        <comment>short title</comment>
        <translation>有效记忆</translation>
    </message>
    <message>
        <source>Scale of dropped tokens</source>
        <translation>丢弃词元数的刻度</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::PositionPlot</name>
    <message>
        <source>position (tokens)</source>
        <translation>位置（词元）</translation>
    </message>
    <message>
        <source>never trained here</source>
        <translation>此处从未训练过</translation>
    </message>
    <message>
        <source>T = %1</source>
        <translation>T = %1</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Pin %1 at %2</source>
        <translation>在 %2 处标记 %1</translation>
    </message>
    <message>
        <source>Remove pin %1</source>
        <translation>移除标记 %1</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::PresetSheet</name>
    <message>
        <source>stated</source>
        <translation>已说明</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>second-hand</source>
        <translation>转述</translation>
    </message>
    <message>
        <source>not known: our choice</source>
        <translation>未知：我们的选择</translation>
    </message>
    <message>
        <source>changed by you</source>
        <translation>由您更改</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Values of the preset</source>
        <translation>预设的取值</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>how well known</source>
        <translation>可靠程度</translation>
    </message>
    <message>
        <source>from where</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Click to change it</source>
        <translation>点击以更改</translation>
    </message>
    <message>
        <source>A value can&apos;t be read: numbers are written as 0.1 or 1e-4, yes and no as true and false.</source>
        <translation>有一个值无法读取：数字写作 0.1 或 1e-4，是与否写作 true 和 false。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ProbabilityBar</name>
    <message>
        <source>Probability of the right answer</source>
        <translation>正确答案的概率</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::PromptEdit</name>
    <message>
        <source>Type or paste a prompt, or drop a text file here. Ctrl+Enter starts.</source>
        <translation>输入或粘贴提示词，或把文本文件拖放到这里。Ctrl+Enter 开始。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Let go of this prompt</source>
        <translation>放弃此提示词</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a text file as the prompt, of any length</source>
        <translation>打开文本文件作为提示词，长度不限</translation>
    </message>
    <message>
        <source>pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read as a prompt: choose a text file.</source>
        <translation>%1 不能作为提示词读入：请选择文本文件。</translation>
    </message>
    <message>
        <source>Open a text as the prompt</source>
        <translation>打开文本作为提示词</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>name, size</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::QqPlot</name>
    <message>
        <source>Quantiles of the elements over those of a Gaussian</source>
        <translation>元素的分位数与高斯分位数之比较</translation>
    </message>
    <message>
        <source>standard normal quantile</source>
        <translation>标准正态分位数</translation>
    </message>
    <message>
        <source>No quantiles in this answer.</source>
        <translation>此结果中没有分位数。</translation>
    </message>
    <message>
        <source>quantile at %1 %</source>
        <translation>%1 % 处的分位数</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::QuizView</name>
    <message>
        <source>Right. %1</source>
        <translation>正确。%1</translation>
    </message>
    <message>
        <source>Not quite. Try another one.</source>
        <translation>不太对。请再试一个。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::RampLegend</name>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>颜色从 %1 到 %2</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::RatePlot</name>
    <message>
        <source>Loss by learning rate</source>
        <translation>损失随学习率的变化</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>loss (nats)</source>
        <translation>损失（奈特）</translation>
    </message>
    <message>
        <source>No step yet.</source>
        <translation>尚无任何一步。</translation>
    </message>
    <message>
        <source>rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>这一步</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::RateSheet</name>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Find a learning rate</source>
        <translation>寻找学习率</translation>
    </message>
    <message>
        <source>%1, T = %2, %3 rows a step</source>
        <translation>%1，T = %2，每步 %3 行</translation>
    </message>
    <message>
        <source>The checkpoint as loaded is trained once while the rate rises from step to step, on weights of its own: nothing that is open or recorded changes. A good rate lies well below the one at which the loss turns upward.</source>
        <translation>以载入时的检查点训练一次，学习率逐步升高，使用它自己的一份权重：已打开或已记录的内容都不会改变。合适的学习率远低于损失开始上升处的学习率。</translation>
    </message>
    <message>
        <source>Reading the model…</source>
        <translation>正在读取模型…</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ReadingSheet</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::RemedyPanel</name>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Time of the repair</source>
        <translation>修复的时间</translation>
    </message>
    <message>
        <source>Untouched</source>
        <translation>未改动</translation>
    </message>
    <message>
        <source>Back to the model as it was before any post-training (R)</source>
        <translation>回到任何后训练之前的模型（R）</translation>
    </message>
    <message>
        <source>Repair it live · %1 s</source>
        <translation>现场修复 · %1 秒</translation>
    </message>
    <message>
        <source>Post-train the untouched model now, with %1. Pauses don&apos;t count.</source>
        <translation>现在以%1对未改动的模型做后训练。暂停不计时。</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Training now with %1: %2</source>
        <translation>正在以%1训练：%2</translation>
    </message>
    <message>
        <source>Paused: %1. Step, or resume.</source>
        <translation>已暂停：%1。可单步或继续。</translation>
    </message>
    <message>
        <source>Measuring what came of it…</source>
        <translation>正在测量结果…</translation>
    </message>
    <message>
        <source>Some training from other initial states repairs what fails past T.</source>
        <translation>从其他初始状态稍加训练，即可修复 T 之后的失效。</translation>
    </message>
    <message>
        <source>Shown: post-trained before, with %1.</source>
        <translation>所示：事先以%1后训练。</translation>
    </message>
    <message>
        <source>Shown: post-trained before, with %1, in %2 steps. Or do it here and now:</source>
        <translation>所示：事先以%1后训练 %2 步。也可现在就做：</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Repair</name>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1: %2 in %3 s.</source>
        <translation>%1：%3 秒内 %2。</translation>
    </message>
    <message>
        <source>%1: %2 in %3 s. Past T the perplexity was %4 times that within T; now it is %5 times.</source>
        <translation>%1：%3 秒内 %2。T 之后的困惑度原为 T 以内的 %4 倍，现在为 %5 倍。</translation>
    </message>
    <message>
        <source>%1: %2 in %3 s. Past T the perplexity of predictable tokens was %4 times that within T; now it is %5 times.</source>
        <translation>%1：%3 秒内 %2。超过 T 后，可预测词元的困惑度原来是 T 以内的 %4 倍，现在是 %5 倍。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Responsiveness</name>
    <message>
        <source>loading and the first sweep</source>
        <translation>载入和首次扫描</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>a search for a rate</source>
        <translation>寻找学习率</translation>
    </message>
    <message>
        <source>a comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>clicks while it trains</source>
        <translation>训练时的点击</translation>
    </message>
    <message>
        <source>training for long</source>
        <translation>长时间训练</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>a click is answered, 99 of %1</source>
        <translation>点击得到响应，%1 次中的第 99 百分位</translation>
    </message>
    <message>
        <source>Stop is honoured: %1</source>
        <translation>停止生效：%1</translation>
    </message>
    <message>
        <source>longest time without an answer: %1</source>
        <translation>最长无响应时间：%1</translation>
    </message>
    <message>
        <source>memory grows, over %1 s</source>
        <translation>内存增长，%1 秒内</translation>
    </message>
    <message>
        <source>MB/h</source>
        <translation>MB/小时</translation>
    </message>
    <message>
        <source>drawing in the end, to that in the beginning</source>
        <translation>结束时与开始时绘制用时之比</translation>
    </message>
    <message>
        <source>Not all figures are as wanted.</source>
        <translation>并非所有数字都合乎要求。</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>一段文字</translation>
    </message>
    <message>
        <source>Nothing happens: %1</source>
        <translation>没有任何动静：%1</translation>
    </message>
    <message>
        <source>the window is seen, after the start of the program</source>
        <translation>窗口可见，自程序启动起</translation>
    </message>
    <message>
        <source>the first curves are measured, after that start</source>
        <translation>首批曲线测得，自程序启动起</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ResultsPanel</name>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>各头</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Scale of the loss</source>
        <translation>损失的刻度</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Comparison of perplexities</source>
        <translation>困惑度的比较</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <comment>time, what happened</comment>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Smoothing of the loss</source>
        <translation>损失的平滑</translation>
    </message>
    <message>
        <source>An exponential mean without bias at its beginning: how much of it one step leaves. The losses themselves stay, faint.</source>
        <translation>起始处无偏差的指数平均：数值表示每走一步后保留的比例。损失本身以淡色保留。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SampleCard</name>
    <message>
        <source>A sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Next sample</source>
        <translation>下一个样本</translation>
    </message>
    <message>
        <source>Another sample of the same length, depth and kind, drawn from the seed</source>
        <translation>由种子抽取的另一个样本，长度、深度和类型相同</translation>
    </message>
    <message>
        <source>Where in the text the evidence stands: 0 its start, 1 its end</source>
        <translation>证据在文本中的位置：0 为开头，1 为末尾</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>probability of the right answer</source>
        <translation>正确答案的概率</translation>
    </message>
    <message>
        <source>An answer&apos;s ground: the probability that the model gives to it</source>
        <translation>答案的底色：模型给它的概率</translation>
    </message>
    <message>
        <source>evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>right answer</source>
        <translation>正确答案</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>%1 = T</source>
        <translation>%1 = T</translation>
    </message>
    <message>
        <source>%1 = %2T</source>
        <translation>%1 = %2T</translation>
    </message>
    <message>
        <source>The sample and the model&apos;s answer come here.</source>
        <translation>样本和模型的回答会显示在这里。</translation>
    </message>
    <message>
        <source>It goes on with %1</source>
        <translation>它续写 %1</translation>
    </message>
    <message>
        <source>%1; right is %2</source>
        <translation>%1；正确的是 %2</translation>
    </message>
    <message>
        <source>%1 tokens read</source>
        <translation>已读 %1 个词元</translation>
    </message>
    <message>
        <source> by the weights as loaded</source>
        <translation>，使用载入时的权重</translation>
    </message>
    <message>
        <source> by the weights of step %1</source>
        <translation>，使用第 %1 步的权重</translation>
    </message>
    <message>
        <source>, which have changed since</source>
        <translation>，此后权重已改变</translation>
    </message>
    <message>
        <source>reading the sample that is chosen now…</source>
        <translation>正在读当前选择的样本…</translation>
    </message>
    <message>
        <source>of the sample before; the chosen one waits</source>
        <translation>属于之前的样本；所选样本在等待</translation>
    </message>
    <message>
        <source>This model can&apos;t be asked that. Choose another task or length, or open a model whose tokenizer knows the words.</source>
        <translation>这个模型无法回答该问题。请选择另一个任务或长度，或打开一个其分词器认识这些词的模型。</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已作答</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SampleLegend</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Click a name: its fitted Gaussian, as a dashed line</source>
        <translation>点击名称：以虚线显示其拟合的高斯分布</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SampleView</name>
    <message>
        <source>The sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Left out here; the model reads it.</source>
        <translation>此处略去；模型会读到。</translation>
    </message>
    <message>
        <source>right answer %1, probability %2</source>
        <translation>正确答案 %1，概率 %2</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SamplingPanel</name>
    <message>
        <source>Continuation</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>max</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>How many tokens Start and Go on write</source>
        <translation>“开始”和“续写”写多少个词元</translation>
    </message>
    <message>
        <source>0: always the most likely token</source>
        <translation>0：总取最可能的词元</translation>
    </message>
    <message>
        <source>Tokens are drawn from the likeliest ones that together have this share</source>
        <translation>从合计达到此份额的最可能词元中抽取</translation>
    </message>
    <message>
        <source>Tokens per second at most; max: as fast as it goes</source>
        <translation>每秒最多的词元数；不限：尽可能快</translation>
    </message>
    <message>
        <source>Draw a new seed</source>
        <translation>抽取新种子</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/秒</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ScoreBook</name>
    <message>
        <source>As loaded, trained by %1</source>
        <translation>载入时，以%1训练</translation>
    </message>
    <message>
        <source>As loaded</source>
        <translation>载入时</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>训练后</translation>
    </message>
    <message>
        <source>The weights on screen.</source>
        <translation>屏幕上的权重。</translation>
    </message>
    <message>
        <source>Earlier weights, scored in this window.</source>
        <translation>较早的权重，在本窗口中评分。</translation>
    </message>
    <message>
        <source>As loaded, experiment</source>
        <translation>载入时，实验</translation>
    </message>
    <message>
        <source>The experiment&apos;s base: the untouched model.</source>
        <translation>实验的基准：未改动的模型。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ScorePlot</name>
    <message>
        <source>%1, %2 seeds %3 to %4</source>
        <translation>%1，%2 个种子，%3 到 %4</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1，%2 / %3</translation>
    </message>
    <message>
        <source>letters</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>length (%1)</source>
        <translation>长度（%1）</translation>
    </message>
    <message>
        <source>trained to %1</source>
        <translation>训练到 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>length, unit</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, low</source>
        <translation>%1，下限</translation>
    </message>
    <message>
        <source>%1, high</source>
        <translation>%1，上限</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ScoreSetup</name>
    <message>
        <source>the task&apos;s own</source>
        <translation>任务默认</translation>
    </message>
    <message>
        <source>Lengths to score at, such as 64, 512, 4k. Empty: those that the task has for T</source>
        <translation>评分的长度，例如 64、512、4k。留空：任务为 T 设定的长度</translation>
    </message>
    <message>
        <source>depths</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Where the key stands: 0 at the start, 1 at the end</source>
        <translation>密钥的位置：0 为开头，1 为末尾</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>试次</translation>
    </message>
    <message>
        <source>Samples for each cell: more of them make the interval narrower</source>
        <translation>每格的样本数：越多，区间越窄</translation>
    </message>
    <message>
        <source>lengths (letters)</source>
        <translation>长度（字母）</translation>
    </message>
    <message>
        <source>lengths (tokens)</source>
        <translation>长度（词元）</translation>
    </message>
    <message>
        <source>A length is a number such as 512, 4k or 1M, and there is &quot;%1&quot;.</source>
        <translation>长度应为数，例如 512、4k 或 1M，而这里是“%1”。</translation>
    </message>
    <message>
        <source>A depth is a number from 0 to 1, and there is &quot;%1&quot;.</source>
        <translation>深度应为 0 到 1 的数，而这里是“%1”。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>phase, time left</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Score again</source>
        <translation>再次评分</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>End scoring; the cells that are scored are kept</source>
        <translation>结束评分；已评分的格会保留</translation>
    </message>
    <message>
        <source>Go on where scoring ended, or score what is set up now besides</source>
        <translation>从评分结束处继续，或补充评分当前设置的内容</translation>
    </message>
    <message>
        <source>Let the weights on screen answer the task&apos;s samples</source>
        <translation>让屏幕上的权重回答任务的样本</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ScoreTable</name>
    <message>
        <source>not stated</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1, so far</source>
        <translation>%1（目前）</translation>
    </message>
    <message>
        <source>lowest and highest of %1 seeds</source>
        <translation>%1 个种子的最低与最高</translation>
    </message>
    <message>
        <source>Wilson&apos;s 95 % interval over the trials</source>
        <translation>各试次的 Wilson 95 % 区间</translation>
    </message>
    <message>
        <source>arm</source>
        <translation>实验组</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>试次</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ScoresCard</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1. Other models and another training: no values to be met.</source>
        <translation>%1。模型和训练都不同：不是要达到的数值。</translation>
    </message>
    <message>
        <source> At lengths that it does not state: %1.</source>
        <translation>其未说明长度处：%1。</translation>
    </message>
    <message>
        <source>digitised</source>
        <translation>数字化</translation>
    </message>
    <message>
        <source>scoring…</source>
        <translation>评分中…</translation>
    </message>
    <message>
        <source>earlier weights</source>
        <translation>较早的权重</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>What the scores show</source>
        <translation>得分说明</translation>
    </message>
    <message>
        <source>Kind of question</source>
        <translation>问题类型</translation>
    </message>
    <message>
        <source>How it is scored</source>
        <translation>评分方式</translation>
    </message>
    <message>
        <source>Free-running: what the model writes when it goes on from its own letters. Text given: the likeliest token at each place, the right text before it</source>
        <translation>自由续写：模型接着自己写出的字母往下写。给定文本：每处取最可能的词元，其前为正确文本</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>How the scores are shown</source>
        <translation>得分的显示方式</translation>
    </message>
    <message>
        <source>plot</source>
        <translation>图</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Table as text</source>
        <translation>表格作为文本</translation>
    </message>
    <message>
        <source>Table as CSV</source>
        <translation>表格作为 CSV</translation>
    </message>
    <message>
        <source>Save as JSON…</source>
        <translation>存为 JSON…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the table, or save the scores</source>
        <translation>复制表格，或保存得分</translation>
    </message>
    <message>
        <source>Accuracy, range and trials by arm</source>
        <translation>各组的准确率、范围和试次</translation>
    </message>
    <message>
        <source>all questions</source>
        <translation>所有问题</translation>
    </message>
    <message>
        <source>No cell of this kind and of a length above 0 is scored yet.</source>
        <translation>尚无此类型且长度大于 0 的格被评分。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Screens</name>
    <message>
        <source>The picture &quot;%1&quot; could not be taken: what it shows did not come in %2 s.</source>
        <translation>无法截取图片“%1”：要显示的内容在 %2 秒内没有出现。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SessionKeeper</name>
    <message>
        <source>Open session…</source>
        <translation>打开会话…</translation>
    </message>
    <message>
        <source>Save session…</source>
        <translation>保存会话…</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>最近的会话</translation>
    </message>
    <message>
        <source>Reopen the last session</source>
        <translation>重新打开上次会话</translation>
    </message>
    <message>
        <source>Open the session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>session saved</source>
        <translation>会话已保存</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Sessions (*%1)</source>
        <translation>会话 (*%1)</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>The program ended unexpectedly last time. What was set up at %1 can be restored.</source>
        <translation>上次程序意外结束。可以恢复 %1 时的设置。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SettingsHistory</name>
    <message>
        <source>initial state</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>context T</source>
        <translation>训练长度 T</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批量</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>measured length</source>
        <translation>测量长度</translation>
    </message>
    <message>
        <source>measured sequences</source>
        <translation>测量序列数</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::Sheet</name>
    <message>
        <source>Copy this message</source>
        <translation>复制此消息</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>percent</comment>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SideColumn</name>
    <message>
        <source>Story</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>The right column</source>
        <translation>右侧栏</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::SpectrumPlot</name>
    <message>
        <source>Share of variance in each component</source>
        <translation>各主成分的方差份额</translation>
    </message>
    <message>
        <source>component</source>
        <translation>主成分</translation>
    </message>
    <message>
        <source>No spectrum.</source>
        <translation>没有谱。</translation>
    </message>
    <message>
        <source>component %1</source>
        <translation>主成分 %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>if independent</source>
        <translation>若相互独立</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StartFrom</name>
    <message>
        <source>State to start from</source>
        <translation>起始状态</translation>
    </message>
    <message>
        <source>The state that the next start reads its prompt from</source>
        <translation>下次开始时读提示词所用的状态</translation>
    </message>
    <message>
        <source>σ </source>
        <translation>σ </translation>
    </message>
    <message>
        <source>Standard deviation of the noise</source>
        <translation>噪声的标准差</translation>
    </message>
    <message>
        <source>Start without the changes</source>
        <translation>不带修改地开始</translation>
    </message>
    <message>
        <source>State file…</source>
        <translation>状态文件…</translation>
    </message>
    <message>
        <source>Start from the state in a file</source>
        <translation>从文件中的状态开始</translation>
    </message>
    <message>
        <source>States (*.safetensors);;All files (*)</source>
        <translation>状态 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>from: zero state</source>
        <translation>起始：零状态</translation>
    </message>
    <message>
        <source>from: random noise</source>
        <translation>起始：随机噪声</translation>
    </message>
    <message>
        <source>from: %1</source>
        <comment>a kept state</comment>
        <translation>起始：%1</translation>
    </message>
    <message>
        <source>from file: %1</source>
        <translation>起始文件：%1</translation>
    </message>
    <message numerus="yes">
        <source> + %Ln change(s)</source>
        <translation>
            <numerusform> + %Ln 处修改</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StateLines</name>
    <message>
        <source>State over position as lines</source>
        <translation>以线显示状态随位置的变化</translation>
    </message>
    <message>
        <source>10–90 % of %1 heads</source>
        <translation>%1 个头的 10–90 %</translation>
    </message>
    <message>
        <source>median of the heads</source>
        <translation>各头的中位数</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>10–90 % of the heads</source>
        <translation>各头的 10–90 %</translation>
    </message>
    <message>
        <source>%1× to %2×</source>
        <translation>%1× 到 %2×</translation>
    </message>
    <message>
        <source>No head is shown: set a box at the right.</source>
        <translation>未显示任何头：请勾选右侧的方框。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StateMap</name>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>earlier measurement</source>
        <translation>较早的测量</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>State of every head over position</source>
        <translation>各头状态随位置的变化</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StatePlot</name>
    <message>
        <source>Not measured yet.</source>
        <translation>尚未测量。</translation>
    </message>
    <message>
        <source>No drift to show: the context T that the model was trained on is not known, or the text ends before it.</source>
        <translation>无法显示漂移：模型的训练长度 T 未知，或文本在此之前结束。</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>drift %1</source>
        <translation>漂移 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>of an earlier measurement</source>
        <translation>取自较早的测量</translation>
    </message>
    <message>
        <source>State over position: %1</source>
        <translation>状态随位置的变化：%1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>position (tokens)</source>
        <translation>位置（词元）</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StateShelf</name>
    <message>
        <source>States (*.safetensors);;All files (*)</source>
        <translation>状态 (*.safetensors);;所有文件 (*)</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Name for the state</source>
        <translation>状态的名称</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>留存</translation>
    </message>
    <message>
        <source>Kept states</source>
        <translation>保存的状态</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保存的状态</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>由此开始</translation>
    </message>
    <message>
        <source>The next start begins with this state</source>
        <translation>下次从此状态开始</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>存盘…</translation>
    </message>
    <message>
        <source>Put this state into a file</source>
        <translation>把此状态存入文件</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Let go of this state</source>
        <translation>放弃此状态</translation>
    </message>
    <message>
        <source>Load…</source>
        <translation>载入…</translation>
    </message>
    <message>
        <source>A state from a file, to keep here</source>
        <translation>从文件读入状态并保存在此</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>What is changed</source>
        <translation>修改什么</translation>
    </message>
    <message>
        <source>the state now</source>
        <translation>当前状态</translation>
    </message>
    <message>
        <source>the next start</source>
        <translation>下次开始</translation>
    </message>
    <message>
        <source>At once and where the text is, or before the first token of the next start</source>
        <translation>立即在文本当前位置修改，或在下次开始的第一个词元之前修改</translation>
    </message>
    <message>
        <source>Heads to change</source>
        <translation>要修改的头</translation>
    </message>
    <message>
        <source>all heads; or 0.2, 1.*, or click in the map</source>
        <translation>所有头；或 0.2, 1.*，或点击图</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Multiply the state of the heads</source>
        <translation>把这些头的状态乘以系数</translation>
    </message>
    <message>
        <source>Set to zero</source>
        <translation>置零</translation>
    </message>
    <message>
        <source>The heads forget everything that was read</source>
        <translation>这些头忘记读过的一切</translation>
    </message>
    <message>
        <source>Add noise</source>
        <translation>加噪声</translation>
    </message>
    <message>
        <source>As many standard deviations of the head&apos;s own state</source>
        <translation>以该头自身状态的标准差为单位</translation>
    </message>
    <message>
        <source>× </source>
        <translation>× </translation>
    </message>
    <message>
        <source>σ </source>
        <translation>σ </translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>系数</translation>
    </message>
    <message>
        <source>Noise, in standard deviations</source>
        <translation>噪声（标准差的倍数）</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>Keep the state after token %1, which is selected</source>
        <translation>保存所选第 %1 个词元之后的状态</translation>
    </message>
    <message>
        <source>Keep the state as it is now, after token %1</source>
        <translation>保存当前状态（第 %1 个词元之后）</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>%1 之后</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Save the state</source>
        <translation>保存状态</translation>
    </message>
    <message>
        <source>Load a state</source>
        <translation>载入状态</translation>
    </message>
    <message>
        <source>None yet: Keep puts the state that the text has come to here.</source>
        <translation>暂无：“留存”把文本读到此处的状态放在这里。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StatusRow</name>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1 / %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>memory %1 MB</source>
        <translation>内存 %1 MB</translation>
    </message>
    <message>
        <source>CPU threads %1</source>
        <translation>CPU 线程 %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>display %1 Hz</source>
        <translation>显示 %1 Hz</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StoryCheck</name>
    <message>
        <source>%1/%2 %3: done in %4 s</source>
        <translation>%1/%2 %3：%4 秒内完成</translation>
    </message>
    <message>
        <source>The card &quot;%1&quot;: %2</source>
        <translation>卡片“%1”：%2</translation>
    </message>
    <message>
        <source>the control &quot;%1&quot; is not in the window.</source>
        <translation>控件“%1”不在窗口中。</translation>
    </message>
    <message>
        <source>Show me is over, and the task is not done: %1.</source>
        <translation>“演示给我看”已结束，而任务没有完成：%1。</translation>
    </message>
    <message>
        <source>not done after %1 s. Show me waits for: %2. The task is done when: %3.</source>
        <translation>%1 秒后仍未完成。“演示给我看”在等待：%2。任务完成的条件：%3。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StoryPanel</name>
    <message>
        <source>Why models forget to stop</source>
        <translation>模型为何不懂遗忘</translation>
    </message>
    <message>
        <source>A few short cards lead through what this window shows: why a recurrent model fails past the length that it was trained on, and what repairs it. It takes about ten minutes.</source>
        <translation>几张短卡片带你了解本窗口的内容：循环模型为何在超过训练长度后失效，又如何修复。约需十分钟。</translation>
    </message>
    <message>
        <source>Start the introduction</source>
        <translation>开始入门课程</translation>
    </message>
    <message>
        <source>Open a story…</source>
        <translation>打开课程…</translation>
    </message>
    <message>
        <source>Cards of the story</source>
        <translation>课程的卡片</translation>
    </message>
    <message>
        <source>Leave the story</source>
        <translation>离开课程</translation>
    </message>
    <message>
        <source>Export report…</source>
        <translation>导出报告…</translation>
    </message>
    <message>
        <source>Where?</source>
        <translation>在哪里？</translation>
    </message>
    <message>
        <source>Point at what the task is about</source>
        <translation>指出任务所涉及的部分</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>待完成</translation>
    </message>
    <message>
        <source>Stop showing</source>
        <translation>停止演示</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>演示给我看</translation>
    </message>
    <message>
        <source>Put back what Show me has changed</source>
        <translation>恢复“演示给我看”所改动的内容</translation>
    </message>
    <message>
        <source>Do the task for me</source>
        <translation>替我完成任务</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StoryReader</name>
    <message>
        <source>%1 is no JSON. A comma or a bracket may be missing.</source>
        <translation>%1 不是 JSON。可能缺少逗号或括号。</translation>
    </message>
    <message>
        <source>%1, &quot;farstate_story&quot;: found %2; this program reads version 1.</source>
        <translation>%1，“farstate_story”：得到 %2；本程序读取版本 1。</translation>
    </message>
    <message>
        <source>%1, &quot;%2&quot;</source>
        <translation>%1，“%2”</translation>
    </message>
    <message>
        <source>%1: found %2, wanted an object { … }.</source>
        <translation>%1：得到 %2，需要对象 { … }。</translation>
    </message>
    <message>
        <source>%1: the key &quot;%2&quot; is unknown. There are: %3.</source>
        <translation>%1：未知的键“%2”。可用的有：%3。</translation>
    </message>
    <message>
        <source>%1: the key &quot;%2&quot; is missing.</source>
        <translation>%1：缺少键“%2”。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted a text in quotes.</source>
        <translation>%1：得到 %2，需要带引号的文字。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted a number.</source>
        <translation>%1：得到 %2，需要一个数。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted true or false.</source>
        <translation>%1：得到 %2，需要 true 或 false。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted a list [ … ].</source>
        <translation>%1：得到 %2，需要列表 [ … ]。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted a text, or one for each language: {&quot;en&quot;: &quot;…&quot;}.</source>
        <translation>%1：得到 %2，需要一段文字，或各语言各一段：{&quot;en&quot;: &quot;…&quot;}。</translation>
    </message>
    <message>
        <source>%1: found %2 steps, wanted 1 to %3.</source>
        <translation>%1：得到 %2 步，需要 1 到 %3 步。</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>%1, step &quot;%2&quot;</source>
        <translation>%1，步骤“%2”</translation>
    </message>
    <message>
        <source>%1: there are two steps of this id.</source>
        <translation>%1：有两个步骤使用此 id。</translation>
    </message>
    <message>
        <source>%1: found &quot;%2&quot;, wanted the name of a file in each language&apos;s folder.</source>
        <translation>%1：得到“%2”，需要各语言文件夹中一个文件的名称。</translation>
    </message>
    <message>
        <source>%1: the control &quot;%2&quot; is unknown. There are: %3.</source>
        <translation>%1：未知控件“%2”。可用的有：%3。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted rising multiples of T above 1, such as [2, 4, 16].</source>
        <translation>%1：得到 %2，需要大于 1 且递增的 T 的倍数，例如 [2, 4, 16]。</translation>
    </message>
    <message>
        <source>%1: found %2 places, wanted 1 to 8.</source>
        <translation>%1：得到 %2 处，需要 1 到 8 处。</translation>
    </message>
    <message>
        <source>%1: the fact &quot;%2&quot; is unknown. docs/STORIES.md lists them.</source>
        <translation>%1：未知事实“%2”。docs/STORIES.md 列出了它们。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted %3 or {&quot;fact&quot;: &quot;…&quot;}.</source>
        <translation>%1：得到 %2，需要%3或 {&quot;fact&quot;: &quot;…&quot;}。</translation>
    </message>
    <message>
        <source>%1: found %2, wanted %3.</source>
        <translation>%1：得到 %2，需要%3。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is empty.</source>
        <translation>%1：“%2”为空。</translation>
    </message>
    <message>
        <source>%1: found %2 keys in one condition, wanted %3. Join conditions by &quot;all&quot; or &quot;any&quot;.</source>
        <translation>%1：一个条件中有 %2 个键，需要 %3 个。请用“all”或“any”连接条件。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; needs a number, and the fact &quot;%3&quot; is %4.</source>
        <translation>%1：“%2”需要数，而事实“%3”是%4。</translation>
    </message>
    <message>
        <source>%1: the fact &quot;%2&quot; is %3; compare it by &quot;is&quot;, &quot;above&quot;, &quot;at_least&quot;, &quot;below&quot; or &quot;at_most&quot;.</source>
        <translation>%1：事实“%2”是%3；请用“is”、“above”、“at_least”、“below”或“at_most”比较。</translation>
    </message>
    <message>
        <source>%1: the action &quot;%2&quot; is unknown. There are: %3.</source>
        <translation>%1：未知操作“%2”。可用的有：%3。</translation>
    </message>
    <message>
        <source>%1: the action &quot;%2&quot; takes no &quot;to&quot;.</source>
        <translation>%1：操作“%2”不带“to”。</translation>
    </message>
    <message>
        <source>%1: the action &quot;%2&quot; needs &quot;to&quot; with %3.</source>
        <translation>%1：操作“%2”需要“to”，其值为%3。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; knows no &quot;%3&quot;. There are: %4.</source>
        <translation>%1：“%2”没有“%3”。可用的有：%4。</translation>
    </message>
    <message>
        <source>%1 has no folder with cards. Put them into a folder &quot;en&quot; beside story.json.</source>
        <translation>%1 中没有卡片文件夹。请把卡片放入 story.json 旁的文件夹“en”。</translation>
    </message>
    <message>
        <source>The card %1 of step &quot;%2&quot; is missing.</source>
        <translation>缺少步骤“%2”的卡片 %1。</translation>
    </message>
    <message>
        <source>%1: the fact &quot;%2&quot; in {braces} is unknown. docs/STORIES.md lists them.</source>
        <translation>%1：{花括号} 中的事实“%2”未知。docs/STORIES.md 列出了它们。</translation>
    </message>
    <message>
        <source>%1: the questions differ from those of the first language in number, in the number of answers or in which is right.</source>
        <translation>%1：问题与第一种语言的在数量、答案数或正确答案上不一致。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::StoryTeller</name>
    <message>
        <source>covered until you have guessed</source>
        <translation>在你猜测之前遮住</translation>
    </message>
    <message>
        <source>Export the report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TaskCard</name>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Our own, generated</source>
        <translation>由本程序生成</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Worked examples before the question</source>
        <translation>问题之前的示例</translation>
    </message>
    <message>
        <source>worked examples</source>
        <translation>示例数</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键数</translation>
    </message>
    <message>
        <source>filler</source>
        <translation>填充文本</translation>
    </message>
    <message>
        <source>facts and texts</source>
        <translation>事实与文本</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>自动生成</translation>
    </message>
    <message>
        <source>Made by this program from the seed</source>
        <translation>由本程序根据种子生成</translation>
    </message>
    <message>
        <source>A text to hide the key in</source>
        <translation>用来藏密钥的文本</translation>
    </message>
    <message>
        <source>The folder with the benchmark&apos;s files</source>
        <translation>基准测试文件所在的文件夹</translation>
    </message>
    <message>
        <source>Back to the text</source>
        <translation>回到原文本</translation>
    </message>
    <message>
        <source>Train on this task</source>
        <translation>在此任务上训练</translation>
    </message>
    <message>
        <source>Load the recipe&apos;s own text again. The model is loaded again as it was.</source>
        <translation>重新载入配方自己的文本。模型按原样重新载入。</translation>
    </message>
    <message>
        <source>Make this task&apos;s text the one that is open: Post-training and Experiment then train on it, and curves by position are measured on it. The model is loaded again as it was; training that was not saved ends.</source>
        <translation>把此任务的文本作为打开的文本：“后训练”和“实验”将在其上训练，各位置的曲线也在其上测量。模型按原样重新载入；未保存的训练将结束。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TasksPanel</name>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Nothing is scored yet. Score lets the weights on screen answer samples of several lengths, a few of each first; cells fill as it goes, and what is scored stays when it is stopped. To compare initial states, train on this task and start an experiment: its runs appear here.</source>
        <translation>尚未评分。“评分”让屏幕上的权重回答几种长度的样本，每种先做少量；各格逐步填满，停止后已评分的内容会保留。要比较初始状态，请在此任务上训练并开始实验：其各次运行会显示在这里。</translation>
    </message>
    <message>
        <source>Save the scores</source>
        <translation>保存得分</translation>
    </message>
    <message>
        <source>Scores (*.json)</source>
        <translation>得分 (*.json)</translation>
    </message>
    <message>
        <source>The scores were not saved</source>
        <translation>得分没有保存</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TextCard</name>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>loss 0</source>
        <translation>损失 0</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 奈特</translation>
    </message>
    <message>
        <source>A token&apos;s ground is the model&apos;s own loss for it, given everything before. Prompt: thin grey bar at the left; written: accent bar.</source>
        <translation>词元的底色是模型在给定前文时对它的损失。提示词：左侧细灰条；写出的文本：强调色条。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Read the prompt and go on from it (Ctrl+Enter)</source>
        <translation>读提示词并续写（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>One token</source>
        <translation>一个词元</translation>
    </message>
    <message>
        <source>Write one more token</source>
        <translation>再写一个词元</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Write more, from the state as it is now</source>
        <translation>从当前状态继续写</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Hold after the token that is being read or written</source>
        <translation>在正在读写的词元之后暂停</translation>
    </message>
    <message>
        <source>Which run is shown</source>
        <translation>显示哪次运行</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>run before</source>
        <translation>上次运行</translation>
    </message>
    <message>
        <source>Differs from token %1 on.</source>
        <translation>从第 %1 个词元起不同。</translation>
    </message>
    <message>
        <source>The same as the run before so far.</source>
        <translation>目前与上次运行相同。</translation>
    </message>
    <message>
        <source>The text appears here, token by token, as the model reads it and goes on with it.</source>
        <translation>模型读入并续写时，文本会逐个词元显示在这里。</translation>
    </message>
    <message>
        <source>Type or open a prompt first, or start from a kept state.</source>
        <translation>请先输入或打开提示词，或从保存的状态开始。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TextSheet</name>
    <message>
        <source>known once it is read</source>
        <translation>读入后可知</translation>
    </message>
    <message>
        <source>about %1, estimated</source>
        <translation>约 %1（估计）</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Reading the beginning…</source>
        <translation>正在读开头…</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>All tokens</source>
        <translation>全部词元</translation>
    </message>
    <message>
        <source>First %1 tokens</source>
        <translation>前 %1 个词元</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TheoryPage</name>
    <message>
        <source>Where training windows start</source>
        <translation>训练窗口从哪里开始</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>own ends</source>
        <translation>自身末状态</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>理论</translation>
    </message>
    <message>
        <source>Where states go</source>
        <translation>状态去往何处</translation>
    </message>
    <message>
        <source>An analogy: two numbers instead of thousands; not measured on a model.</source>
        <translation>类比：用两个数代替成千上万个；并非在模型上测得。</translation>
    </message>
    <message>
        <source>A recurrent model reads a text token by token. All that it keeps of it is a state %1 of fixed size: a function makes the next state, another one the prediction.</source>
        <translation>循环模型逐个词元地读文本。它所保留的全部是固定大小的状态 %1：一个函数产生下一状态，另一个产生预测。</translation>
    </message>
    <message>
        <source>States that training never explored</source>
        <translation>训练从未探索的状态</translation>
    </message>
    <message>
        <source>Training reads windows of %1 tokens, each from a state of zeros. The model meets the states that so few tokens lead to, and no others. A longer text leads on to states in which nothing ever taught it what to predict.</source>
        <translation>训练读取 %1 个词元的窗口，每个都从零状态开始。模型只遇到这么少词元能到达的状态。更长的文本会到达从未教过它如何预测的状态。</translation>
    </message>
    <message>
        <source>What of the past still counts</source>
        <translation>过去还有什么起作用</translation>
    </message>
    <message>
        <source>Effective remembrance: how far the prediction moves when the first %1 tokens are dropped. Near zero, what was dropped no longer counted.</source>
        <translation>有效记忆（EffRem）：丢弃前 %1 个词元时预测改变多少。接近零表示被丢弃的内容已不起作用。</translation>
    </message>
    <message>
        <source>Starting somewhere else</source>
        <translation>从别处开始</translation>
    </message>
    <message>
        <source>A little more training repairs the model if its windows start from other states:</source>
        <translation>如果窗口从其他状态开始，稍加训练即可修复模型：</translation>
    </message>
    <message>
        <source>noise as large as real final states</source>
        <translation>与真实末状态一样大的噪声</translation>
    </message>
    <message>
        <source>the state that another window ended in</source>
        <translation>另一个窗口的末状态</translation>
    </message>
    <message>
        <source>the state that this text has come to</source>
        <translation>本文本到达的状态</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Let the texts grow</source>
        <translation>让文本变长</translation>
    </message>
    <message>
        <source>length %1</source>
        <translation>长度 %1</translation>
    </message>
    <message>
        <source>trained to T = %1</source>
        <translation>训练到 T = %1</translation>
    </message>
    <message>
        <source>decay %1</source>
        <translation>衰减 %1</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>&lt;span style=&quot;color:%1&quot;&gt;■&lt;/span&gt; seen in training &amp;nbsp; &lt;span style=&quot;color:%2&quot;&gt;●&lt;/span&gt; a text&apos;s state, seen &amp;nbsp; &lt;span style=&quot;color:%3&quot;&gt;●&lt;/span&gt; never seen</source>
        <translation>&lt;span style=&quot;color:%1&quot;&gt;■&lt;/span&gt; 训练中见过 &amp;nbsp; &lt;span style=&quot;color:%2&quot;&gt;●&lt;/span&gt; 文本的状态，见过 &amp;nbsp; &lt;span style=&quot;color:%3&quot;&gt;●&lt;/span&gt; 从未见过</translation>
    </message>
    <message>
        <source>After %1 tokens, %2 % of the texts are in states that training has seen.</source>
        <translation>%1 个词元之后，%2 % 的文本处于训练见过的状态。</translation>
    </message>
    <message>
        <source>%1 But %2 % of what it saw is nowhere a text leads.</source>
        <comment>the sentence before, percent</comment>
        <translation>%1但它所见的有 %2 % 是文本不会到达之处。</translation>
    </message>
    <message>
        <source>The idea in words</source>
        <translation>用文字说明</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TipBox</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TokenFlow</name>
    <message>
        <source>Running text</source>
        <translation>连续文本</translation>
    </message>
    <message>
        <source>newest ↓</source>
        <translation>最新 ↓</translation>
    </message>
    <message>
        <source>Go to the newest token and stay there</source>
        <translation>转到最新的词元并跟随</translation>
    </message>
    <message>
        <source>no loss: nothing predicted it</source>
        <translation>没有损失：没有对它的预测</translation>
    </message>
    <message>
        <source>loss %1 nats</source>
        <translation>损失 %1 奈特</translation>
    </message>
    <message>
        <source>token %1, %2 · id %3 · %4</source>
        <translation>词元 %1，%2 · 编号 %3 · %4</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>written</source>
        <translation>写出</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TokenView</name>
    <message>
        <source>First tokens</source>
        <translation>开头的词元</translation>
    </message>
    <message>
        <source>token %1 of the text, id %2</source>
        <translation>文本的第 %1 个词元，编号 %2</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TopBar</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>What the window shows</source>
        <translation>窗口显示什么</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>理论</translation>
    </message>
    <message>
        <source>Measure the model over a text, let it read and write one, compare initial states, let it answer what a long text says, or see why it fails</source>
        <translation>在文本上测量模型，让它读写文本，比较初始状态，让它回答长文本中的内容，或了解它为何失效</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Light, dark or as the system</source>
        <translation>浅色、深色或跟随系统</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>action, key</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>No text</source>
        <translation>无文本</translation>
    </message>
    <message>
        <source>from step %1: %2 = %3</source>
        <translation>从第 %1 步起：%2 = %3</translation>
    </message>
    <message numerus="yes">
        <source> · %Ln change(s)</source>
        <translation>
            <numerusform> · %Ln 处修改</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
Click to copy the recipe.</source>
        <translation>%1
点击复制配方。</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::ToyView</name>
    <message>
        <source>The plane of the toy&apos;s state</source>
        <translation>玩具状态的平面</translation>
    </message>
    <message>
        <source>first number</source>
        <translation>第一个数</translation>
    </message>
    <message>
        <source>second number</source>
        <translation>第二个数</translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TrainingPanel</name>
    <message>
        <source>Post-training</source>
        <translation>后训练</translation>
    </message>
    <message>
        <source>Draw a new seed</source>
        <translation>抽取新种子</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>context T (tokens)</source>
        <translation>训练长度 T（词元）</translation>
    </message>
    <message>
        <source>batch (rows)</source>
        <translation>批量（行）</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>as length</source>
        <translation>同长度</translation>
    </message>
    <message>
        <source>length N (tokens)</source>
        <translation>长度 N（词元）</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <source>remembrance over</source>
        <translation>有效记忆长度</translation>
    </message>
    <message>
        <source>remembrance</source>
        <translation>有效记忆</translation>
    </message>
    <message>
        <source>How much of the text&apos;s beginning the end remembers.</source>
        <translation>末尾还记得文本开头的多少。</translation>
    </message>
    <message>
        <source>dynamics of heads</source>
        <translation>各头的动态</translation>
    </message>
    <message>
        <source>Half-life, decay, dt and share written per head.</source>
        <translation>各头的半衰期、衰减、dt 和写入份额。</translation>
    </message>
    <message>
        <source>distributions</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Distance of every head&apos;s elements to training, and their effective rank. Takes as long again as the rest.</source>
        <translation>各头元素与训练时的距离及其有效秩。耗时与其余各项之和相当。</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>尚未开始</translation>
    </message>
</context>
</TS>
